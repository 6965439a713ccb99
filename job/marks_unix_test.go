//go:build unix

package job

import (
	"errors"
	"testing"
	"time"
)

// A mark binds a submit and a refusal to the store that has it. It goes before the jobs
// that came after it, so that none of them is taken for one that never was.
func TestMark(t *testing.T) {
	t.Parallel()
	const mark = "01ARZ3NDEKTSV4RRFFQ69G5FAA"
	s := newStore(t)
	d := chosenDraft(s)
	d.Mark = mark
	if _, err := s.Submit(d); !errors.Is(err, ErrNoMark) {
		t.Errorf("submit: %v", err)
	}
	if _, err := s.Refuse(chosen, mark); !errors.Is(err, ErrNoMark) {
		t.Errorf("refuse: %v", err)
	}
	if s.Mark("x") == nil || s.HasMark("x") {
		t.Error("what is no id is a mark")
	}
	check(t, s.Mark(mark), s.Mark(mark))
	submit(t, s, d)
	await(t, s, chosen)
	_, err := s.Cleanup(Policy{Old: time.Hour})
	check(t, err)
	if !s.HasMark(mark) {
		t.Error("the mark went before its time")
	}
	_, err = s.Cleanup(Policy{DryRun: true})
	check(t, err)
	if !s.HasMark(mark) {
		t.Error("the mark went though nothing was to be done")
	}
	_, err = s.Cleanup(Policy{})
	check(t, err)
	if _, err := s.Refuse(chosen, mark); !errors.Is(err, ErrNoMark) {
		t.Errorf("the job was removed, and: %v", err)
	}
}

// The facts about each runner are kept as long as its mark exists.
func TestRunnerMark(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	row := []string{"far", "ssh", "build1"}
	if got := s.RunnerMark(row); got != (RunnerMark{}) {
		t.Errorf("nothing is known: %+v", got)
	}
	want := RunnerMark{Mark: chosen, Since: s.now().Round(0), Missed: 1}
	check(t, s.SetRunnerMark(row, want))
	if got := s.RunnerMark(row); got.Mark != want.Mark || got.Missed != 1 || !got.Since.Equal(want.Since) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := s.RunnerMark([]string{"far", "sshbuild1"}); got.Mark != "" {
		t.Errorf("another runner: %+v", got)
	}
	s.now = func() time.Time { return time.Now().Add(Retain) }
	if got := s.RunnerMark(row); got.Mark != "" {
		t.Errorf("two weeks later: %+v", got)
	}
}

// A mark that cannot be written is not taken for written.
func TestRunnerMarkFails(t *testing.T) {
	s := newStore(t)
	check(t, s.root.write(runnersDir, nil))
	if err := s.SetRunnerMark([]string{"far"}, RunnerMark{}); err == nil {
		t.Error("a file as the directory of the marks")
	}
	check(t, s.root.Remove(runnersDir), s.root.Remove(saltFile), s.root.Mkdir(saltFile, 0o700))
	if err := s.SetRunnerMark([]string{"far"}, RunnerMark{Mark: chosen}); err == nil || s.RunnerMark([]string{"far"}).Mark != "" {
		t.Errorf("a directory as the salt: %v", err)
	}
}

//go:build unix

package job

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope"
)

// A result comes back from disk as it was, and inline where a run in the
// foreground would have it inline.
func TestResult(t *testing.T) {
	s := newStore(t)
	for _, row := range []struct {
		name, script string
		keep         envelope.Keep
		limit        int64
		text, json   string
		artifact     bool
	}{
		{"text", "echo '<&>'", envelope.KeepLarge, 32 << 10, "<&>\n", "", false},
		{"json", `echo '{"a": 1.50}'`, envelope.KeepLarge, 32 << 10, "", `{"a": 1.50}`, false},
		{"all are kept", "echo x", envelope.KeepAll, 32 << 10, "", "", true},
		{"what failed is kept", "echo x; exit 1", envelope.KeepFailed, 32 << 10, "", "", true},
		{"what did not fail is not", "echo x", envelope.KeepFailed, 32 << 10, "x\n", "", false},
		{"over the limit", "yes | head -n 3000", envelope.KeepLarge, 4 << 10, "", "", true},
	} {
		t.Run(row.name, func(t *testing.T) {
			rec := finished(t, s, row.script)
			res, err := s.Result(rec.ID)
			if err != nil {
				t.Fatal(err)
			}
			if res.JobID != rec.ID || res.Payload != nil || res.Stdout.JSON != nil || res.Stdout.Artifact == "" {
				t.Errorf("as it is kept: %+v", res)
			}
			s.Inline(res, Inlining{Placement: envelope.Placement{Keep: row.keep}, Limit: row.limit})
			got := res.Stdout
			if got.Text != row.text || string(got.JSON) != row.json || (got.Artifact != "") != row.artifact {
				t.Errorf("text %q, JSON %q, artifact %q", got.Text, got.JSON, got.Artifact)
			}
		})
	}
}

// A result that is gone or damaged is made of the record, and the output is where
// it was.
func TestResultOfItsRecord(t *testing.T) {
	s := newStore(t)
	rec := finished(t, s, "echo out; echo err >&2; exit 3")
	for text, warnings := range map[string]int{"": 1, "null": 1, `{"Command":`: 1, "gone": 0} {
		name := rec.ID + "/" + resultFile
		check(t, s.root.write(name, []byte(text)))
		if text == "gone" {
			check(t, s.root.Remove(name))
		}
		res, err := s.Result(rec.ID)
		check(t, err)
		s.Inline(res, Inlining{Placement: envelope.Placement{Keep: envelope.KeepLarge}, Limit: 32 << 10})
		if res.JobID != rec.ID || res.ExitStatus != 3 || *res.Outcome.ExitCode != 3 || len(res.Warnings) != warnings {
			t.Errorf("%q: %+v", text, res)
		}
		for _, stream := range []*envelope.Stream{&res.Stdout, &res.Stderr} {
			if stream.Truncated || stream.Text != map[bool]string{true: "out\n", false: "err\n"}[stream == &res.Stdout] {
				t.Errorf("%q: %+v", text, stream)
			}
		}
	}
}

// Follow shows all that was printed, once, however it comes to its end.
func TestFollow(t *testing.T) {
	s := newStore(t)
	sub, open := submitGated(t, s, draft(s, "echo one; echo two >&2; cat; echo three"))
	id := sub.Record.ID
	var got strings.Builder
	rec, err := s.Follow(context.Background(), id, -1, func(of Stream, p []byte) error {
		got.WriteString(string(of) + ":" + string(p))
		if strings.Contains(got.String(), "one") && strings.Contains(got.String(), "two") {
			open()
		}
		return nil
	})
	if err != nil || rec.State != OK || strings.Count(got.String(), "three") != 1 || strings.Count(got.String(), "one") != 1 {
		t.Errorf("%q, %+v, %v", got.String(), rec, err)
	}
	got.Reset()
	if _, err := s.Follow(context.Background(), id, 1, func(of Stream, p []byte) error {
		if of == Stdout {
			got.Write(p)
		}
		return nil
	}); err != nil || got.String() != "three\n" {
		t.Errorf("the last line of a job that is over: %q, %v", got.String(), err)
	}
	broken := errors.New("broken")
	if _, err := s.Follow(context.Background(), id, -1, func(Stream, []byte) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// Follow shows all of an output that is longer than what it reads at once, and Tail its
// last bytes.
func TestLongOutput(t *testing.T) {
	s := newStore(t)
	const size = 200_000
	id := finished(t, s, "printf '%0200000d' 1").ID
	n := 0
	if _, err := s.Follow(t.Context(), id, -1, func(_ Stream, p []byte) error { n += len(p); return nil }); err != nil || n != size {
		t.Errorf("%d bytes, %v", n, err)
	}
	for limit, want := range map[int64]int{0: 64 << 10, 100: 100, size: 64 << 10} {
		if stdout, _, _, err := s.Tail(id, 5, limit); len(stdout) != want || stdout[want-1] != '1' || err != nil {
			t.Errorf("the last %d bytes: %d, %v", limit, len(stdout), err)
		}
	}
}

// The files of a job appear one after the other, and its end comes between any two
// looks. Each stream is shown once, from wherever it is by then.
func TestFollowStreamsThatAppearLate(t *testing.T) {
	s := newStore(t)
	rec := finished(t, s, "echo stored; echo kept >&2")
	var got strings.Builder
	tail := tail{s: s, id: rec.ID, lines: -1, emit: func(of Stream, p []byte) error {
		got.WriteString(string(of) + ":" + string(p))
		return nil
	}}
	defer tail.close()
	for _, step := range []struct {
		file string // appears
		rec  *Record
		want string
	}{
		{"", &Record{State: Running}, ""},
		{stderrFile, &Record{State: Running}, "stderr:live\n"},
		{"", rec, "stdout:stored\n"},
	} {
		if step.file != "" {
			check(t, s.root.write(rec.ID+"/"+step.file, []byte("live\n")))
		}
		got.Reset()
		if err := tail.emitNew(step.rec); err != nil || got.String() != step.want {
			t.Errorf("%+v: %q, %v", step, got.String(), err)
		}
	}
}

// lastLines cuts at lines, a last one without its newline included.
func TestLastLines(t *testing.T) {
	for _, row := range []struct {
		text string
		n    int
		want string
	}{
		{"a\nb\nc\n", 2, "b\nc\n"},
		{"a\nb\nc", 2, "b\nc"},
		{"a\nb\nc\n", 0, ""},
		{"a\nb\nc\n", 9, "a\nb\nc\n"},
		{"", 3, ""},
		{"\n\n", 1, "\n"},
	} {
		if got := row.text[lastLines([]byte(row.text), row.n):]; got != row.want {
			t.Errorf("%q, %d: %q, want %q", row.text, row.n, got, row.want)
		}
	}
}

// A file is counted as a stream is: an unfinished last line is one.
func TestMeasure(t *testing.T) {
	s := newStore(t)
	for text, want := range map[string]Output{"": {}, "a\n": {Bytes: 2, Lines: 1}, "a": {Bytes: 1, Lines: 1}, "a\n\nb": {Bytes: 4, Lines: 3}} {
		check(t, s.root.write("f", []byte(text)))
		if got, err := s.measure("f"); got != want || err != nil {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	if got, err := s.measure("missing"); got != (Output{}) || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
}

// The kept live output is limited.
func TestLiveLimit(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	l := &limitedFile{f: f, most: 5}
	if n, err := l.Write([]byte("abc")); n != 3 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := l.Write([]byte("defg")); n != 2 || !errors.Is(err, errFull) {
		t.Errorf("%d, %v", n, err)
	}
	l.most = 0
	if n, err := l.Write([]byte("f")); n != 1 || err != nil {
		t.Errorf("without a limit: %d, %v", n, err)
	}
	if data, err := os.ReadFile(f.Name()); string(data) != "abcdef" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	_ = f.Close()
	l.most = 7
	if n, err := l.Write([]byte("gh")); n != 0 || !errors.Is(err, os.ErrClosed) {
		t.Errorf("after a failure of the file: %d, %v", n, err)
	}
}

// Where the store takes nothing, the output of a lost job is shown from its files.
func TestLostOutputOutsideTheStore(t *testing.T) {
	s := newStore(t)
	sub, _ := submitGated(t, s, draft(s, "echo before; echo beside >&2; cat"))
	id := sub.Record.ID
	var got strings.Builder
	enough := errors.New("enough")
	if _, err := s.Follow(context.Background(), id, -1, func(_ Stream, p []byte) error {
		got.Write(p)
		if strings.Contains(got.String(), "before") && strings.Contains(got.String(), "beside") {
			return enough
		}
		return nil
	}); !errors.Is(err, enough) {
		t.Fatal(err)
	}
	objects := filepath.Join(s.dir, "objects")
	if err := errors.Join(os.RemoveAll(objects), os.WriteFile(objects, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	s.records.supervisor(id).kill()
	if rec := await(t, s, id); rec.State != Lost || rec.Outcome.ExitStatus != statusLost {
		t.Errorf("%+v", rec)
	}
	for range 2 { // the second time it is read from disk
		res, err := s.Result(id)
		if err != nil || res.Stdout.Text != "before\n" || res.Stderr.Text != "beside\n" || !res.Stdout.Truncated {
			t.Errorf("%+v, %+v, %v", res.Stdout, res.Stderr, err)
		}
	}
	if stdout, stderr, _, err := s.Tail(id, 5, 100); string(stdout) != "before\n" || string(stderr) != "beside\n" || err != nil {
		t.Errorf("%q, %q, %v", stdout, stderr, err)
	}
}

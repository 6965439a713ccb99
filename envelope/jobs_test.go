package envelope

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/envwrap/envwrap/envelope/internal/delegator"
	"github.com/envwrap/envwrap/internal/test/matrix"
)

func hostileTexts() []string {
	return []string{"", "a\x00b\nl\nl\nl\nl\nl\nl", "\xff\xfe__ENVELOPE_V1__:x`", "日本語\u2028", repeatText("l", 300)}
}

// An answer of the registry with half of a cleanup is invalid.
func TestHalfACleanup(t *testing.T) {
	const stuck, old = `"stuck_tasks":{"found":0,"cleaned":0,"task_ids":[]}`, `"old_tasks":{"found":0,"deleted":0,"oldest_age_hours":0}`
	for data, want := range map[string]bool{"{" + stuck + "," + old + "}": true, "{" + stuck + "}": false, "{" + old + "}": false, "{}": false} {
		if got := readRegistry(&delegator.Envelope{}, []byte(data)); (got != nil) != want {
			t.Errorf("%s: got %+v", data, got)
		}
	}
}

// A task that waits has not run for any time.
func TestStanding(t *testing.T) {
	for want, j := range map[string]Job{
		"The task is queued; it has not started":  queuedJob(),
		"The task is still running after 322.0 s": runningJob(),
	} {
		if got := (&delegatorAnswer{job: &j}).standing(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Each dialect writes any answer about jobs as one valid document, and reads it back
// unchanged.
func TestAnyAnswerIsValid(t *testing.T) {
	t.Parallel() // it takes long under the race detector
	texts, numbers := hostileTexts(), []int64{12345678, 0, -1, math.MaxInt64, math.MinInt64}
	dialects, options := Dialects(), []EncodeOptions{{}, {Budget: 3000}}
	for _, at := range matrix.Cases(len(texts), len(numbers), 24, len(dialects), len(options)) {
		text, n, pick, d, o := texts[at[0]], numbers[at[1]], at[2], dialects[at[3]], options[at[4]]
		r := fuzzRecord([]byte(text), text, 7, 0)
		r.Jobs = fuzzJobs(text, n, uint8(pick))
		doc, err := Encode(d, r, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range Validate(d, doc, ValidateOptions{}) {
			t.Fatalf("%s, %q, %d, %d: %s\n%s", d.Name(), text, n, pick, f, doc)
		}
		checkStable(t, d, doc, EncodeOptions{})
		if t.Failed() {
			t.Fatalf("%q, %d, %d", text, n, pick)
		}
	}
}

// So is the run of any job, however it ended.
func TestAnyTaskIsValid(t *testing.T) {
	t.Parallel() // it takes long under the race detector
	texts, dialects := hostileTexts(), Dialects()
	for _, at := range matrix.Cases(len(texts), 64, len(dialects), 2) {
		text, pick, d := texts[at[0]], at[1], dialects[at[2]]
		o := []EncodeOptions{{}, {IncludeOutput: IncludeAlways, MaxOutput: pick}}[at[3]]
		r := fuzzRecord([]byte(text), text, 7, uint8(pick))
		r.JobID, r.Category, r.Jobs = jobA, []string{"", "result_set"}[pick%2], nil
		doc, err := Encode(d, r, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range Validate(d, doc, ValidateOptions{}) {
			t.Fatalf("%s, %q, %d: %s\n%s", d.Name(), text, pick, f, doc)
		}
		checkStable(t, d, doc, o)
		if t.Failed() {
			t.Fatalf("%s, %q, %d", d.Name(), text, pick)
		}
	}
}

// The warnings of an answer are read back from each dialect that shows them.
func TestWarningsOfAnAnswer(t *testing.T) {
	r := answer(&Jobs{Kind: JobsInfo, All: true, List: []Job{runningJob()}, Counts: CountJobs([]Job{runningJob()})})
	r.Warnings = []string{"one warning", "and another"}
	shown := 0
	for _, d := range Dialects() {
		doc, err := Encode(d, r, EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(doc, []byte("and another")) {
			continue
		}
		shown++
		if back, err := Decode(d, doc); err != nil || !slices.Equal(back.Warnings, r.Warnings) {
			t.Errorf("%s: %v, %q\n%s", d.Name(), err, back.Warnings, doc)
		}
	}
	if shown == 0 {
		t.Error("no dialect shows warnings")
	}
}

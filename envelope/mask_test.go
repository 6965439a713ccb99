package envelope

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/test/testenv"
)

// unmasked has the fields and types of a record that MaskTexts leaves as they are, with the
// reason.
var unmasked = map[string]string{
	"Kind": "a fixed list", "Code": "a fixed list", "Classifier": "a fixed list", "TimeoutType": "a fixed list", "JobsKind": "a fixed list", "JobState": "a fixed list",
	"Result.RequestID": "a UUID", "Result.TaskID": "a ULID", "Result.JobID": "a ULID", "Job.ID": "a ULID", "Jobs.Group": "a ULID", "JobCleanup.Stuck": "ULIDs",
	"Result.CacheKey": "a digest", "Stream.Artifact": "a digest", "Kept.Artifact": "a digest", "Stream.Exact": "a digest", "JobOutput.Artifact": "a digest",
	"Result.Source": "one of two words", "Result.Dialect": "a dialect's name", "Result.Category": "one of delegator's categories",
	"Outcome.Signal": "a signal's name", "Job.Signal": "a signal's name", "Redactions.ByRule": "names of rules",
	"Result.Payload": "captured output", "Stream.Text": "captured output", "Stream.JSON": "captured output", "Stream.Binary": "captured output",
	"Stream.Head": "captured output", "Stream.Tail": "captured output", "Excerpt.Text": "captured output", "Summary.Preview": "captured output",
	"Job.Activity": "captured output", "Job.LastLines": "captured output",
}

// full returns a record in which each text is a secret.
func full(t *testing.T) *Result {
	r := &Result{}
	testenv.Fill(t, r)
	return r
}

func maskTexts(r *Result) {
	r.MaskTexts(Mask{Text: testenv.MaskSecret, Args: testenv.MaskSecrets})
}

func TestEveryTextIsMasked(t *testing.T) {
	r := full(t)
	maskTexts(r)
	testenv.Unmasked(t, r, unmasked)
	if got := r.Command; got != CommandName("a ***") {
		t.Errorf("the command %q is no namespace/verb", got)
	}
	for _, f := range slices.Concat(r.Extra, r.Outcome.Details) {
		if !json.Valid(f.Value) {
			t.Errorf("%s is no JSON any more: %s", f.Name, f.Value)
		}
	}
}

// A value that is no JSON is masked, too.
func TestMaskTextsInBrokenJSON(t *testing.T) {
	r := &Result{Extra: Fields{{Name: "a", Value: json.RawMessage(`["` + testenv.Secret)}}}
	maskTexts(r)
	if got := string(r.Extra[0].Value); got != `["***` {
		t.Errorf("got %q", got)
	}
}

// Masking changes no list that another record has, too.
func TestMaskTextsCopies(t *testing.T) {
	r := full(t)
	other, job := *r, *r.Jobs
	maskTexts(r)
	for name, shared := range map[string][]string{"warnings": other.Warnings, "suggestions": other.Outcome.Suggestions, "argv": other.Argv, "argv of a job": job.List[0].Argv} {
		if !strings.Contains(shared[0], testenv.Secret) {
			t.Errorf("the %s of the other record changed: %q", name, shared)
		}
	}
	for name, shared := range map[string]string{"a field": string(other.Extra[0].Value), "a leftover": other.Leftovers[0].Name, "a message of a job": job.List[0].Message, "a runner": job.Runners[0].Name} {
		if !strings.Contains(shared, testenv.Secret) {
			t.Errorf("%s of the other record changed: %q", name, shared)
		}
	}
}

// No envelope and no event shows a secret that a text of the record had.
func TestNoDialectShowsATextBeforeItIsMasked(t *testing.T) {
	shows := func(doc []byte) bool { return strings.Contains(string(doc), testenv.Secret) }
	for _, jobs := range []bool{false, true} {
		r := full(t)
		r.Started, r.Ended, r.TaskID, r.RequestID = time.Unix(0, 0), time.Unix(1, 0), "01ARZ3NDEKTSV4RRFFQ69G5FAV", "00000000-0000-4000-8000-000000000000"
		testenv.Clear(t, r, unmasked)
		for _, s := range []*Stream{&r.Stdout, &r.Stderr, &r.Exec.Stdout, &r.Exec.Stderr} {
			s.Artifact, s.Summary = "sha256:"+strings.Repeat("0", 64), &Summary{Kind: s.Summary.Kind}
		}
		for _, x := range []*Result{r, r.Exec} {
			x.Redactions.ByRule, x.Nested, x.Progress = nil, false, false
			x.Outcome.Kind, x.Outcome.Code = Failure, ERUNTIME
		}
		if r.Exec.Jobs = nil; jobs {
			r.Jobs.Kind, r.Jobs.All = JobsList, true
			for i := range r.Jobs.List {
				r.Jobs.List[i].ID, r.Jobs.List[i].State = r.TaskID, JobOK
			}
			r.Exec = nil
		} else {
			r.Jobs = nil
		}
		encode := func(r *Result) map[string][]byte {
			docs := map[string][]byte{}
			for _, d := range Dialects() {
				docs[d.Name()], _ = Encode(d, r, EncodeOptions{})
			}
			docs["progress"], _ = EncodeProgress(r, r.Ended, 1, Progress{Stage: "running"})
			return docs
		}
		for name, doc := range encode(r) {
			if !shows(doc) {
				t.Errorf("%s has nothing of the record that could be masked: %s", name, doc)
			}
		}
		maskTexts(r)
		for name, doc := range encode(r) {
			if shows(doc) {
				t.Errorf("%s shows a secret: %s", name, doc)
			}
		}
	}
}

// A mask in a path of a command is out of quotes, so that a shell expands it, and the record
// says once that it is there.
func TestMasksInCommandsAreUnquoted(t *testing.T) {
	for read, want := range map[string]string{
		"envwrap artifact cat --store /a/d-hunter2 b770":           "envwrap artifact cat --store /a/d-*** b770",
		"envwrap artifact cat --store '/a b/hunter2/hunter2' b770": "envwrap artifact cat --store '/a b/'***'/'***'' b770",
		"envwrap artifact cat --store '/a b' b770":                 "envwrap artifact cat --store '/a b' b770",
	} {
		r := &Result{Stdout: Stream{Read: read}, Kept: []Kept{{Read: read}}, Jobs: &Jobs{Next: read}}
		for range 2 {
			r.MaskTexts(Mask{Text: func(s string) string { return strings.ReplaceAll(s, "hunter2", "***") }, Args: func(a []string) []string { return a }})
			if r.Stdout.Read != want || r.Kept[0].Read != want || r.Jobs.Next != want {
				t.Errorf("%s: got %s, %s and %s, want %s", read, r.Stdout.Read, r.Kept[0].Read, r.Jobs.Next, want)
			}
			if told := slices.Equal(r.Warnings, []string{pathMasked}); told != strings.Contains(want, mask) {
				t.Errorf("%s: the warnings are %q", want, r.Warnings)
			}
		}
	}
}

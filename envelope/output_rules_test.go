package envelope

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope/internal/delegator"
	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// includedOutput is the output in a delegator/v3.6 envelope.
type includedOutput struct {
	Included  bool
	Reason    string
	Stdout    *string
	Stderr    *string
	Truncated bool
	Max       int  `json:"max_bytes"`
	Size      *int `json:"original_size"`
}

func outputOf(t *testing.T, r *Result, o EncodeOptions) includedOutput {
	t.Helper()
	doc, err := Encode(&delegatorV36, r, o)
	if err != nil {
		t.Fatal(err)
	}
	if faults := Validate(&delegatorV36, doc, ValidateOptions{Strict: true}); faults != nil {
		t.Fatalf("%v\n%s", faults, doc)
	}
	var e struct {
		Data struct{ Output includedOutput }
	}
	if err := json.Unmarshal(doc, &e); err != nil {
		t.Fatal(err)
	}
	return e.Data.Output
}

// "Output Inclusion Rules": of a task that failed or timed out always, of any
// other where it is asked for. Left out, nothing of it is there but the reason.
func TestOutputByState(t *testing.T) {
	for state, r := range map[delegator.State]*Result{
		delegator.TaskCompleted: newRun(0, "out\n", "err\n", "make"),
		delegator.TaskFailed:    newRun(2, "out\n", "err\n", "make").failed(Failure, ERUNTIME, "m", "h", ByStatus),
		delegator.TaskCancelled: newRun(0, "out\n", "err\n", "make").failed(Canceled, ECANCELED, "m", "h", ByEnvwrap),
		delegator.TaskTimeout:   newRun(0, "out\n", "err\n", "make").failed(Timeout, ETIMEOUT, "m", "h", ByEnvwrap),
	} {
		for _, asked := range []Include{IncludeDefault, IncludeAlways, IncludeNever} {
			for _, category := range []string{"wait_result", "result_set"} {
				r.ofJob().Category = category
				got := outputOf(t, r, EncodeOptions{IncludeOutput: asked})
				always := state == delegator.TaskFailed || state == delegator.TaskTimeout
				switch want := always || asked == IncludeAlways; {
				case got.Included != want, got.Truncated, got.Size != nil:
					t.Errorf("%s of a task that is %s, asked %d: %+v", category, state, asked, got)
				case want && (*got.Stdout != "out\n" || *got.Stderr != "err\n" || got.Max != 65536 || got.Reason != ""):
					t.Errorf("%s of a task that is %s, asked %d: %+v", category, state, asked, got)
				case !want && (got.Stdout != nil || got.Stderr != nil || got.Max != 0 || got.Reason == ""):
					t.Errorf("%s of a task that is %s, asked %d: %+v", category, state, asked, got)
				}
			}
		}
	}
}

// "Truncation Limits": a stream has half of max_output_bytes; of a longer one
// both ends are kept, half each, cut between characters; original_size counts both.
func TestTruncationOfOutput(t *testing.T) {
	long := "A" + strings.Repeat("é", 20_000) + "Z"
	for _, most := range []int{0, 65536, 1000, 7, 1} {
		r := newRun(0, long, "short\n", "make").ofJob()
		got := outputOf(t, r, EncodeOptions{IncludeOutput: IncludeAlways, MaxOutput: most})
		limit := most
		if limit == 0 {
			limit = 65536
		}
		if got.Stdout == nil || got.Stderr == nil || got.Size == nil {
			t.Errorf("most %d: %+v", most, got)
			continue
		}
		head, tail, found := strings.Cut(*got.Stdout, "... [truncated] ...\n")
		head = strings.TrimSuffix(head, "\n")
		if !found || !got.Truncated || got.Max != limit || *got.Size != len(long)+6 {
			t.Errorf("most %d: %.80q..., truncated %v, max %d, size %d", most, *got.Stdout, got.Truncated, got.Max, *got.Size)
		}
		if len(head) > limit/4 || len(tail) > limit/4 || len(head) < limit/4-2 || !strings.HasPrefix(long, head) || !strings.HasSuffix(long, tail) {
			t.Errorf("most %d: head of %d bytes, tail of %d", most, len(head), len(tail))
		}
		if limit >= 24 && *got.Stderr != "short\n" {
			t.Errorf("most %d: stderr %q", most, *got.Stderr)
		}
	}
	r := newRun(0, strings.Repeat("x", 32768), "", "make").ofJob()
	if got := outputOf(t, r, EncodeOptions{IncludeOutput: IncludeAlways}); got.Truncated || got.Stdout == nil || len(*got.Stdout) != 32768 {
		t.Errorf("32 KiB are cut: truncated is %v, max %d", got.Truncated, got.Max)
	}
}

// Where the middle of a stream is left out, what shows all of that stream is named.
func TestReadingOfTruncatedOutput(t *testing.T) {
	long := strings.Repeat("x", 40_000)
	for _, c := range []struct {
		stdout, stderr string
		named          [2]bool
	}{{long, "short\n", [2]bool{true, false}}, {"short\n", long, [2]bool{false, true}}, {long, long, [2]bool{true, true}}} {
		r := newRun(0, c.stdout, c.stderr, "make").ofJob()
		r.Stdout.Artifact, r.Stderr.Artifact = "sha256:"+strings.Repeat("a", 64), "sha256:"+strings.Repeat("b", 64)
		got := outputOf(t, r, EncodeOptions{IncludeOutput: IncludeAlways})
		if named := [2]bool{strings.Contains(got.Reason, "its stdout"), strings.Contains(got.Reason, "its stderr")}; named != c.named {
			t.Errorf("%d and %d bytes: %q", len(c.stdout), len(c.stderr), got.Reason)
		}
	}
}

// A task that is not over shows the end of its output, and whether more came before it.
func TestOutputSoFar(t *testing.T) {
	stream := func(text string, before int) *Stream {
		return &Stream{Text: text, Bytes: int64(len(text) + before)}
	}
	for _, c := range []struct {
		stdout, stderr *Stream
		truncated      bool
	}{
		{nil, nil, false},
		{stream("out\n", 0), stream("err\n", 0), false},
		{stream("out\n", 5), nil, true},
		{stream(strings.Repeat("x", outputMost), 0), nil, true},
	} {
		v := &view{Result: &Result{Jobs: &Jobs{SoFar: [2]*Stream{c.stdout, c.stderr}}}}
		got := newDelegatorAnswer(newDelegatorView(v)).outputSoFar()
		if got.Truncated != c.truncated || (got.OriginalSize != nil) != c.truncated || len(*got.Stdout) > outputMost {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

// The last bytes begin with a line, where one begins before them.
func TestLastBytes(t *testing.T) {
	for text, want := range map[string]string{"one\ntwo three": "two three", "\nlong line": "long line", "no line end": "no line end", "a\nb": "a\nb"} {
		if got := lastBytes(text, 5); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Bytes that are no UTF-8 are longer once they are text; the limit is on those
// that are written.
func TestTruncationOfBytes(t *testing.T) {
	r := newRun(0, strings.Repeat("\xff", 20_000), "", "cat")
	all := EncodeOptions{IncludeOutput: IncludeAlways}
	if got := outputOf(t, r, all); !got.Truncated || got.Stdout == nil || len(*got.Stdout) > 33_000 || *got.Size != 20_000 {
		t.Errorf("truncated %v, %d bytes", got.Truncated, len(*got.Stdout))
	}
	if delegatorV36.fits(r, all) {
		t.Error("output that is cut and in no store fits")
	}
}

// A tail is within 1000 characters and within 1024 bytes, whatever it is made of.
func TestDelegatorTailLimits(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want int // bytes
	}{
		"short":          {"boom\n", 5},
		"ascii":          {strings.Repeat("x", 3000), 1000},
		"two bytes each": {strings.Repeat("é", 3000), 1024},
		"three bytes":    {strings.Repeat("語", 3000), 1023},
		"four bytes":     {strings.Repeat("🙂", 3000), 1024},
		"600 characters": {strings.Repeat("é", 600), 1024},
	} {
		r := newRun(1, c.text, c.text, "make").failed(Failure, ERUNTIME, "make ended with status 1", "h", ByStatus)
		doc, err := Encode(&delegatorV36, r, EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		details := wire.FieldsIn(wire.FieldsIn(wire.FieldsIn(doc).Get("error")).Get("details"))
		for _, member := range []string{"stderr_tail", "stdout_tail"} {
			if tail := wire.StringIn(details.Get(member)); len(tail) != c.want || !strings.HasSuffix(c.text, tail) {
				t.Errorf("%s: %s has %d bytes, not %d", name, member, len(tail), c.want)
			}
		}
	}
}

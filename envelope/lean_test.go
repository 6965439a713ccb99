package envelope

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/test/matrix"
)

// The lean form of every run is valid in every dialect, never longer, and says
// the same: read back and written in full it differs in nothing but what the
// reader knows. Each case is in one dialect of two, or in all if there is more time.
func TestLeanForm(t *testing.T) {
	t.Parallel()
	for i, d := range Dialects() {
		schema := compiled(t, d)
		for j, c := range testCases(t) {
			if (i+j)%matrix.Every(2) > 0 {
				continue
			}
			opt := c.opt
			full, err := Encode(d, c.result, opt)
			if err != nil {
				t.Fatal(err)
			}
			opt.Detail = DetailLean
			lean, err := Encode(d, c.result, opt)
			if err != nil {
				t.Fatal(err)
			}
			if len(lean) > len(full) {
				t.Errorf("%s, %s: %d bytes lean, %d in full", c.name, d.Name(), len(lean), len(full))
			}
			if faults := Validate(d, lean, ValidateOptions{Strict: true}); len(faults) != len(Validate(d, full, ValidateOptions{Strict: true})) {
				t.Errorf("%s, %s: %v\n%s", c.name, d.Name(), faults, lean)
				continue
			}
			if err := fitsSchema(t, schema, d, lean); err != nil {
				t.Errorf("%s, %s: %v\n%s", c.name, d.Name(), err, lean)
			}
			r, err := Decode(d, lean)
			if err != nil {
				t.Fatal(err)
			}
			again, err := Encode(d, r, opt)
			if err != nil || c.result.Exec == nil && !bytes.Equal(again, lean) && d.Name() != "tool-envelope/v1" {
				t.Errorf("%s, %s: %v\n%s\ncomes back as\n%s", c.name, d.Name(), err, lean, again)
			}
		}
	}
}

func TestLeanProtocol(t *testing.T) {
	r := newRun(0, "hi\n", "", "echo", "hi")
	r.TraceMade = true
	doc, err := Encode(&protocolV1, r, EncodeOptions{Detail: DetailLean})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"version":1,"status":"ok","command":"exec/echo","data":{"stdout":{"text":"hi\n"}},"meta":{"ts":"2026-11-20T10:00:00.123Z","duration_ms":164},"error":{"code":null,"message":null}}` + "\n"
	if string(doc) != want {
		t.Errorf("got  %swant %s", doc, want)
	}
	r.TraceMade = false
	if doc, _ = Encode(&protocolV1, r, EncodeOptions{Detail: DetailLean}); !strings.Contains(string(doc), `"trace_id"`) {
		t.Errorf("a trace id that somebody gave is left out: %s", doc)
	}
}

func TestIsContent(t *testing.T) {
	for raw, want := range map[string]bool{
		`{"text":"x"}`: true, `{"json":1}`: true, `{"base64":"eA=="}`: true, `{"artifact":"x"}`: true,
		`{"bytes":1}`: false, `{}`: false, `"text"`: false, `[1]`: false,
	} {
		if got := isContent([]byte(raw)); got != want {
			t.Errorf("%s: %v", raw, got)
		}
	}
}

// Members stand beside those of an object that has none of their names, and beside a
// payload otherwise.
func TestWithMembers(t *testing.T) {
	var extra wire.Fields
	extra.Put("note", "n")
	for payload, want := range map[string]string{
		`{"a":1}`: "a note", `{"note":1}`: "payload note", `[1]`: "payload note", `1`: "payload note", ``: "note",
	} {
		var names []string
		for _, f := range withMembers([]byte(payload), extra) {
			names = append(names, f.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %s, want %s", payload, got, want)
		}
	}
}

// A lean envelope does not have the command line, and what is made of it invents none.
func TestLeanConvertsWithoutArgv(t *testing.T) {
	for _, from := range Dialects() {
		if from.self().lean == nil {
			continue
		}
		doc, err := Encode(from, newRun(0, "hi\n", "", "echo"), EncodeOptions{Detail: DetailLean})
		if err != nil {
			t.Fatal(err)
		}
		r, err := Decode(from, doc)
		if err != nil {
			t.Errorf("%s: %v\n%s", from.Name(), err, doc)
			continue
		}
		for _, to := range Dialects() {
			again, err := Encode(to, r, EncodeOptions{})
			inner := again
			if to.self().unframe != nil {
				inner, _, _ = to.self().unframe(again)
			}
			if err != nil || bytes.Contains(inner, []byte(`"argv"`)) {
				t.Errorf("%s to %s: %v\n%s", from.Name(), to.Name(), err, inner)
			}
			if faults := Validate(to, again, ValidateOptions{Strict: true}); faults != nil {
				t.Errorf("%s to %s: %v\n%s", from.Name(), to.Name(), faults, again)
			}
		}
	}
}

// What is made of an envelope without the command line invents none, when a run adopts it and
// when that is translated.
func TestAdoptedConvertsWithoutArgv(t *testing.T) {
	t.Parallel()
	noneInvented := func(d Dialect, doc []byte, about string) {
		inner := doc
		if d.self().unframe != nil {
			inner, _, _ = d.self().unframe(doc)
		}
		if bytes.Contains(bytes.ReplaceAll(inner, []byte(" "), nil), []byte(`"argv":[]`)) {
			t.Errorf("%s: %s", about, inner)
		}
		for _, f := range Validate(d, doc, ValidateOptions{Strict: true}) {
			t.Errorf("%s: %s\n%s", about, f, inner)
		}
	}
	runs := map[string]*Result{"text": newRun(0, "hi\n", "", "echo"), "json": newRun(0, "[1,\"two\"]\n", "", "echo"), "failed": newRun(3, "", "no\n", "echo").failed(Failure, ERUNTIME, "echo ended with status 3: no", "", ByStatus)}
	for name, run := range runs {
		for _, from := range Dialects() {
			o := EncodeOptions{Detail: DetailLean, IncludeOutput: IncludeAlways}
			doc, err := Encode(from, run, o)
			if err != nil {
				t.Fatal(err)
			}
			status := *run.Outcome.ExitCode
			adopted, _, err := Adopt(newRun(status, string(doc), "", "cat", "it"), doc, proved)
			if err != nil {
				t.Fatal(err)
			}
			for _, to := range Dialects() {
				about := name + ", " + from.Name() + " in " + to.Name()
				out, err := Encode(to, adopted, EncodeOptions{IncludeOutput: IncludeAlways})
				if err != nil {
					t.Fatal(about, err)
				}
				noneInvented(to, out, about)
				if r, err := Decode(to, out); err != nil || !r.Nested && name == "text" {
					t.Errorf("%s: %v, is not read back as a run that was adopted:\n%s", about, err, out)
				}
				for _, next := range Dialects() {
					again, _, err := Convert(to, next, out, EncodeOptions{})
					if err != nil {
						t.Fatal(about, err)
					}
					noneInvented(next, again, about+" to "+next.Name())
				}
			}
		}
	}
}

// Lean, the record of a run that another run printed is written as the run's own, unless the run
// that printed it says something that the record does not.
func TestLeanAdopted(t *testing.T) {
	nested := func(change func(outer *Result)) *Result {
		r := newRun(0, "hi\n", "", "echo", "hi")
		outer := newRun(0, "", "", "envwrap", "--", "echo", "hi")
		r.Exec, r.Nested = outer, true
		change(outer)
		return r
	}
	one := 1
	for name, c := range map[string]struct {
		r     *Result
		plain bool
	}{
		"quiet": {nested(func(*Result) {}), true},
		"twice": {nested(func(o *Result) {
			o.Extra.Put("exec", json.RawMessage(`{"argv":["env"],"exit_code":0,"duration_ms":1,"outcome":"success","stderr":""}`))
		}), true},
		"stderr": {nested(func(o *Result) { o.Stderr = newRun(0, "", "e\n", "x").Stderr }), false},
		"status": {nested(func(o *Result) { o.Outcome = Outcome{Kind: Failure, Code: ERUNTIME, ExitCode: &one} }), false},
		"twice, with a warning": {nested(func(o *Result) {
			o.Extra.Put("exec", json.RawMessage(`{"argv":["env"],"exit_code":0,"duration_ms":1,"outcome":"success","stderr":"","warnings":["w"]}`))
		}), false},
		"warning": {nested(func(o *Result) { o.Warnings = []string{"w"} }), false},
		"masked":  {nested(func(o *Result) { o.Redactions = Redactions{Total: 1, ByRule: map[string]int{"x": 1}} }), false},
	} {
		own := *c.r
		own.Exec, own.Nested = nil, false
		for _, d := range Dialects() {
			opt := EncodeOptions{Detail: DetailLean, IncludeOutput: IncludeAlways}
			got, err := Encode(d, c.r, opt)
			want, _ := Encode(d, &own, opt)
			if err != nil || bytes.Equal(got, want) != c.plain {
				t.Errorf("%s, %s: %v\n%swant %s", name, d.Name(), err, got, want)
			}
			if faults := Validate(d, got, ValidateOptions{Strict: true}); faults != nil {
				t.Errorf("%s, %s: %v", name, d.Name(), faults)
			}
		}
	}
}

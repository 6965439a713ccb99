package envelope

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/test/matrix"
)

// A Result decoded from an envelope that envwrap wrote equals the original, in each dialect.
func TestDecodedRunIsTheRun(t *testing.T) {
	for _, c := range append(plainCases(), append(failureCases(), storeCases()...)...) {
		doc, err := Encode(&protocolV1, c.result, c.opt)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Decode(&protocolV1, doc)
		if err != nil || r.Payload != nil || r.Dialect != "" {
			t.Errorf("%s: %v, payload %s", c.name, err, r.Payload)
			continue
		}
		direct, err := Encode(&helperV1, c.result, c.opt)
		if err != nil {
			t.Fatal(err)
		}
		there, _, err := Convert(&protocolV1, &helperV1, doc, c.opt)
		if err != nil || !bytes.Equal(there, direct) {
			t.Errorf("%s: converted to helper/v1: %v\n%s\nwritten at once\n%s", c.name, err, there, direct)
		}
	}
}

// So is one whose ends are cut to milliseconds that are one more apart than it
// took, and one that tells how to read what is stored elsewhere, or of stderr.
func TestDecodedRunInAnyDialect(t *testing.T) {
	for _, c := range []testCase{
		{name: "ok", result: newRun(0, "", "", "true")},
		{name: "own stdout", result: newRun(0, `{"stdout":{"bytes":1}}`, "", "node", "gather.js"), opt: EncodeOptions{IncludeOutput: IncludeAlways}},
		{name: "stored", result: storedAt(newRun(0, "", "", "make"))},
		{name: "stored error", result: storedAt(newRun(3, "", "", "false").failed(Failure, ERUNTIME, "false ended with status 3", "Read it.", ByStatus))},
		{name: "stored tail", result: storedTail()},
		{name: "error", result: newRun(3, "", "boom\n", "false").failed(Failure, ERUNTIME, "false ended with status 3", "Read it.", ByStatus)},
	} {
		r := c.result
		r.Started = time.Date(2026, 11, 20, 10, 0, 0, 262_900_000, time.UTC)
		r.Duration = 1400 * time.Microsecond
		r.Ended = r.Started.Add(r.Duration)
		doc, err := Encode(&delegatorV36, r, c.opt)
		if err != nil || !bytes.Contains(doc, []byte(`.262Z`)) || !bytes.Contains(doc, []byte(`.264Z`)) {
			t.Fatalf("%s: %v\n%s", c.name, err, doc)
		}
		for _, d := range []Dialect{&protocolV1, &foxctlV1, &helperV1, &delegatorV36, &agentResponseV1} {
			doc, err := Encode(d, r, c.opt)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := Decode(d, doc); err != nil || got.Dialect != "" || got.Stderr.Artifact != r.Stderr.Artifact {
				t.Errorf("%s, %s: %v, read as another's:\n%s", c.name, d.Name(), err, doc)
			}
		}
	}
}

// storedAt is a run whose stderr is in a store that is not the default.
func storedAt(r *Result) *Result {
	r.Stderr = summarize(lines(200), ParseText, 64).Spilled(digestA, "envwrap artifact cat --store /srv/s "+digestA, 64)
	return r
}

// storedTail is a run whose stderr is in the store, and whole in the envelope too.
func storedTail() *Result {
	r := newRun(1, "", "denied\n", "gh").failed(Failure, EAUTH, "gh ended with status 1: denied", "Log in.", BySignature)
	r.Stderr.Artifact = digestB
	return r
}

// Into its own dialect nothing is lost; there and back loses no more than there.
func TestConvertLosses(t *testing.T) {
	t.Parallel() // it takes long under the race detector
	cases, dialects := testCases(t), Dialects()
	for i, at := range matrix.Cases(len(cases), len(dialects), len(dialects)) {
		if i%matrix.Every(2) > 0 {
			continue
		}
		c, from, to := cases[at[0]], dialects[at[1]], dialects[at[2]]
		doc, err := Encode(from, c.result, c.opt)
		if err != nil {
			t.Fatal(err)
		}
		out, lost, err := Convert(from, to, doc, c.opt)
		if err != nil {
			t.Fatalf("%s: %s to %s: %v", c.name, from.Name(), to.Name(), err)
		}
		if from == to && lost != nil {
			t.Errorf("%s: %s to itself loses %v", c.name, from.Name(), lost)
		}
		if c.result.Exec == nil && i%4 == 0 { // of adopted ones a trip may blur whose facts exec are
			checkSecondTrip(t, c, from, to, doc, out, lost)
		}
	}
}

// inexact are the vectors with something that a record does not hold: more than
// milliseconds, more of those than a Duration has, an error without words.
var inexact = map[string][]string{
	"duration-largest":    {"/meta/duration_ms"},
	"ts-leap-day":         {"/ts"},
	"error-message-empty": {"/error/message"},
	"duration-exponent":   {"/duration_seconds"},
	"no-text":             {""},
	"no-text-strict":      {""},
	// Read as real servers write it, and written as the document wants it.
	"command-underscore":   {"/command"},
	"response-text":        {"/response"},
	"response-two-values":  {"/response"},
	"response-cut":         {"/response"},
	"validation-retryable": {"/error/retryable"},
}

func pointersOf(lost []Loss) (list []string) {
	for _, l := range lost {
		list = append(list, l.Pointer)
	}
	return list
}

// The same for the vectors, which are of others' making: what they become is
// valid, in their own dialect they lose nothing, and no trip after the first
// loses more.
func TestConvertVectors(t *testing.T) {
	t.Parallel() // it takes long under the race detector
	converted, every := 0, matrix.Every(4)
	for _, from := range Dialects() {
		for i, v := range readVectors(t, from) {
			if i%every != 0 {
				continue
			}
			doc := v.doc(t)
			if r, err := Decode(from, doc); err != nil || r.Progress {
				continue
			}
			for _, to := range Dialects() {
				name := from.Name() + " " + v.Name + " to " + to.Name()
				out, lost, err := Convert(from, to, doc, EncodeOptions{})
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				converted++
				if faults := Validate(to, out, ValidateOptions{}); faults != nil {
					t.Errorf("%s: %v\n%s\n%s", name, faults, doc, out)
				}
				if from == to && !slices.Equal(pointersOf(lost), inexact[v.Name]) {
					t.Errorf("%s: lost %v\n%s\n%s", name, lost, doc, out)
				}
				checkSecondTrip(t, testCase{name: v.Name}, from, to, doc, out, lost)
			}
		}
	}
	if converted*every < 600 {
		t.Errorf("only %d conversions", converted)
	}
}

// checkSecondTrip goes back, there and back again, and finds of doc no more
// missing than was after the first time.
func checkSecondTrip(t *testing.T, c testCase, from, to Dialect, doc, out []byte, lost []Loss) {
	t.Helper()
	name := c.name + ": " + from.Name() + " to " + to.Name()
	for i := range 3 {
		var err error
		if out, _, err = Convert(to, from, out, EncodeOptions{}); err == nil && i < 2 {
			out, _, err = Convert(from, to, out, EncodeOptions{})
		}
		if err != nil {
			t.Fatalf("%s: trip %d: %v", name, i, err)
		}
	}
	if r, err := Decode(from, out); err == nil && r.lean { // what the lean form leaves out is not lost
		r.lean = false
		out, _ = Encode(from, r, EncodeOptions{IncludeOutput: r.include()})
	}
	for _, l := range losses(from.self(), doc, out) {
		known := slices.ContainsFunc(lost, func(k Loss) bool {
			return strings.HasPrefix(l.Pointer, k.Pointer) || strings.HasPrefix(k.Pointer, l.Pointer)
		})
		if !known {
			t.Errorf("%s: lost on a later trip: %s", name, l)
		}
	}
}

func TestSameNumber(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"120", "120.0", true},
		{"1.50", "1.5", true},
		{"100", "1", false},
		{"12345678901234567890", "12345678901234567891", false},
		{"1e2", "100", false},
		{"0.10e2", "0.1e2", false},
		{`"1"`, "1", false},
		{"null", "0", false},
	} {
		if got := sameNumber([]byte(c.a), []byte(c.b)); got != c.want {
			t.Errorf("%s and %s: %t", c.a, c.b, got)
		}
	}
}

func TestConvertTellsWhatIsLost(t *testing.T) {
	for _, c := range []struct {
		from, to, doc string
		want          []string
	}{
		{"helper", "protocol", `{"schema_version":"1.2.0","status":"ok","error":null,"agent":"codex","ts":"2026-05-01T00:00:00Z","rows":[1,2]}`, nil},
		{"protocol", "helper", plainProtocol, []string{`/command "fs/ls" comes back as "helper/output"`, `/meta/duration_ms 1 comes back as 0`}},
		{"protocol", "foxctl", plainProtocol, nil},
	} {
		from, _ := Lookup(c.from)
		to, _ := Lookup(c.to)
		_, lost, err := Convert(from, to, []byte(c.doc), EncodeOptions{})
		var got []string
		for _, l := range lost {
			got = append(got, l.String())
		}
		if err != nil || strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s to %s: %v, lost %q, want %q", c.from, c.to, err, got, c.want)
		}
	}
}

// A translation passes validate --strict, whatever was translated, and names no empty command
// line in the place of one that is not known.
func TestConvertWritesWhatIsValid(t *testing.T) {
	t.Parallel()
	for i, c := range append(testCases(t), rareCases()...) {
		for j, from := range Dialects() {
			if (i+j)%matrix.Every(20) > 0 {
				continue
			}
			for _, o := range []EncodeOptions{c.opt, {Detail: DetailLean}, {IncludeOutput: IncludeAlways}} {
				doc, err := Encode(from, c.result, o)
				if err != nil || Validate(from, doc, ValidateOptions{Strict: true}) != nil {
					continue
				}
				for _, to := range Dialects() {
					out, lost, err := Convert(from, to, doc, EncodeOptions{})
					if err != nil {
						continue
					}
					for _, f := range Validate(to, out, ValidateOptions{Strict: true}) {
						if f.Rule == "protocol/inline-size" && (from == to || strings.Contains(lost[len(lost)-1].Text, f.Text)) {
							continue // convert keeps what another dialect has inline, since it has no store, and says so
						}
						t.Errorf("%s, %+v: %s to %s: %s", c.name, o, from.Name(), to.Name(), f)
					}
				}
			}
		}
	}
}

// FuzzConvert: what one dialect takes can be said in any other, but for events.
// addDocuments adds one in some of the documents of the cases in each dialect, with the
// dialect's number. TestConvertLosses and TestVectorFiles see the others.
func addDocuments(f *testing.F) {
	f.Helper()
	for i, c := range testCases(f) {
		for j, d := range Dialects() {
			if (i+j)%matrix.Every(4) > 0 {
				continue
			}
			doc, err := Encode(d, c.result, c.opt)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(doc, uint8(j))
		}
	}
}

func FuzzConvert(f *testing.F) {
	addDocuments(f)
	f.Fuzz(func(t *testing.T, doc []byte, pick uint8) {
		from := Dialects()[int(pick)%len(Dialects())]
		r, err := Decode(from, doc)
		if err != nil || r.Progress {
			return
		}
		for _, to := range Dialects() {
			out, lost, err := Convert(from, to, doc, EncodeOptions{})
			if err != nil {
				t.Fatalf("%s to %s: %v\n%s", from.Name(), to.Name(), err, doc)
			}
			if faults := Validate(to, out, ValidateOptions{}); faults != nil {
				t.Fatalf("%s to %s: %v\n%s\n%s", from.Name(), to.Name(), faults, doc, out)
			}
			if to == from && slices.ContainsFunc(lost, func(l Loss) bool { return l.Pointer == "/status" || l.Pointer == "/error/code" }) {
				t.Fatalf("%s to itself: %v\n%s\n%s", from.Name(), lost, doc, out)
			}
		}
	})
}

// The times of agent-response/v1 may be finer than those of the other formats.
func TestConvertKeepsMicroseconds(t *testing.T) {
	const doc = `{"request_id":"5f0c1d2e-3b4a-4c5d-8e6f-7a8b9c0d1e2f","version":"1.0","status":"success","response":"1","error_message":null,"error_type":null,"created_at":"2025-11-24T14:22:45.123456+00:00","duration_seconds":1.234567,"metadata":{}}`
	out, lost, err := Convert(&agentResponseV1, &agentResponseV1, []byte(doc), EncodeOptions{Layout: LayoutCompact})
	if err != nil || lost != nil {
		t.Errorf("%v, lost %v", err, lost)
	}
	for _, want := range []string{`"created_at":"2025-11-24T14:22:45.123456Z"`, `"duration_seconds":1.234567,`} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%s lacks %s", out, want)
		}
	}
}

// JSON that a run printed comes back as its JSON from each dialect, also in the form that envwrap
// writes first in that dialect.
func TestJSONComesBack(t *testing.T) {
	for _, printed := range []string{`[1, "two"]`, `{"name":"app","ok":true}`} {
		r := newRun(0, printed+"\n", "", "echo")
		plain, err := Encode(&protocolV1, r, EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range Dialects() {
			own, err := Encode(d, r, EncodeOptions{IncludeOutput: IncludeAlways})
			if err != nil {
				t.Fatal(err)
			}
			translated, _, err := Convert(&protocolV1, d, plain, EncodeOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for _, doc := range [][]byte{own, translated} {
				back, _, err := Convert(d, &protocolV1, doc, EncodeOptions{})
				data := wire.FieldsIn(wire.FieldsIn(back).Get("data"))
				got := wire.FieldsIn(data.Get("stdout")).Get("json")
				if d == &toolEnvelopeV1 && printed[0] == '{' {
					got = wire.EncodeObject(data) // as any object in a payload
				}
				if err != nil || !sameJSON(got, []byte(printed)) {
					t.Errorf("%s: %v\n%s\n%s", d.Name(), err, doc, back)
				}
			}
		}
	}
}

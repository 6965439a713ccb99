package jq

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

func run(t testing.TB, expr, in string, o Options) (string, error) {
	t.Helper()
	var out []string
	err := Run(context.Background(), expr, strings.NewReader(in), o, func(text []byte) error {
		out = append(out, string(text))
		return nil
	})
	return strings.Join(out, "\n"), err
}

func TestRun(t *testing.T) {
	for _, c := range []struct {
		name, expr, in, want string
		o                    Options
	}{
		{"a member", ".a", `{"a":1}`, "1", Options{}},
		{"large integers keep their digits", ".[]", `[12345678901234567890123, -9007199254740993]`, "12345678901234567890123\n-9007199254740993", Options{}},
		{"large integers are added exactly", ".a+1", `{"a":9007199254740993}`, "9007199254740994", Options{}},
		{"a fraction keeps its spelling", ".", `1.10`, "1.10", Options{}},
		{"NDJSON is a value a line", ".n", "{\"n\":1}\n{\"n\":2}\n", "1\n2", Options{}},
		{"values without separators", ".", "1 2[3]", "1\n2\n[3]", Options{}},
		{"null and inputs", "[inputs]", "1 2 3", "[1,2,3]", Options{Null: true}},
		{"halt", "if . == 2 then halt else . end", "1 2 3", "1", Options{}},
		{"no value", ".", "", "", Options{}},
		{"the environment is not there", "$ENV|length", "0", "0", Options{}},
		{"a byte order mark is skipped", ".a", "\ufeff{\"a\":1}", "1", Options{}},
		{"shorter than the mark", ".", "7", "7", Options{}},
		{"text is not escaped for HTML", ".", `"<&>"`, `"<&>"`, Options{}},
	} {
		got, err := run(t, c.expr, c.in, c.o)
		if err != nil || got != c.want {
			t.Errorf("%s: got %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}

// A result that cannot be passed on ends the run.
func TestEmitFails(t *testing.T) {
	full, calls := errors.New("full"), 0
	err := Run(t.Context(), ".[]", strings.NewReader("[1,2] [3]"), Options{}, func([]byte) error {
		calls++
		return full
	})
	if !errors.Is(err, full) || calls != 1 {
		t.Errorf("got %v after %d results", err, calls)
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name, expr, in, want string
		o                    Options
	}{
		{"text that is no JSON", ".", "hello", "no JSON at byte 1", Options{}},
		{"an offset after a mark", ".", "\ufeffhello", "no JSON at byte 4", Options{}},
		{"JSON that ends too soon", ".", `{"a":`, "ends in the middle", Options{}},
		{"a value that is too large", ".", `"` + strings.Repeat("x", 5000) + `"`, "more than 1000 bytes", Options{MaxValue: 1000}},
		{"an expression that fails", ".a", "[]", "run expression", Options{}},
	} {
		if _, err := run(t, c.expr, c.in, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", c.name, err)
		}
	}
	short, small := Options{Timeout: 50 * time.Millisecond}, Options{MaxMemory: 4 << 20}
	both := Options{Timeout: short.Timeout, MaxMemory: small.MaxMemory}
	for _, c := range []struct {
		expr, want string
		o          Options
	}{
		{"def f: f; f", "more than 50ms", short},
		{"last(range(1e15))", "more than 50ms", short},
		{"def f: [f]; f", "more than", both},
		{"[range(1e12)]", "more than", both},
		{"[range(1e12)]", "4 MiB of memory", small},
		{"[limit(1e9; repeat(\"x\"))]", "4 MiB of memory", small},
		{"input", "no more inputs", both},
		{"repeat(1)", "results for one value of the input have more than 1 MiB", Options{MaxResults: 1 << 20}},
	} {
		if _, err := run(t, c.expr, "1", c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", c.expr, err)
		}
	}
	for depth, deep := range map[int]bool{maxDepth: false, maxDepth + 1: true} {
		for _, level := range []string{"[.]", "{a:.}"} {
			_, err := run(t, fmt.Sprintf("reduce range(%d) as $i (null; %s)", depth, level), "1", Options{})
			if (err != nil) != deep || deep && !strings.Contains(err.Error(), "more than 10000 levels") {
				t.Errorf("%d levels of %s gave %v", depth, level, err)
			}
		}
	}
	var bad *Error
	for _, expr := range []string{".[", "nosuch", "import \"x\" as x; .", "input_filename_"} {
		if _, err := run(t, expr, "1", Options{}); !errors.As(err, &bad) {
			t.Errorf("%q gave %v", expr, err)
		}
	}
}

// Garbage of an expression does not count against its memory limit.
func TestGarbageIsNoMemory(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // nobody collects it but the guard
	const heap = 16 << 20
	var before, made runtime.MemStats
	runtime.ReadMemStats(&before)
	for made.TotalAlloc < before.TotalAlloc+3*heap/2 {
		if out, err := run(t, "last(range(300000))", "1", Options{MaxMemory: heap}); out != "299999" || err != nil {
			t.Fatalf("%q, %v", out, err)
		}
		runtime.ReadMemStats(&made)
	}
}

func TestManyValuesNeedLittleMemory(t *testing.T) {
	in := &repeated{text: `{"n":1,"pad":"` + strings.Repeat("x", 100) + `"}` + "\n", left: 20_000}
	n := 0
	err := Run(context.Background(), ".n", in, Options{MaxValue: 128 << 10, MaxResults: 8}, func([]byte) error { n++; return nil })
	if err != nil || n != 20_000 {
		t.Errorf("%d results, %v", n, err)
	}
}

// TestSlowReaderHasTime takes longer for the first of two results than the limit allows the
// expression.
func TestSlowReaderHasTime(t *testing.T) {
	t.Parallel()
	n := 0
	o := Options{Timeout: 300 * time.Millisecond}
	err := Run(context.Background(), "range(2)", strings.NewReader("1"), o, func([]byte) error {
		if n++; n == 1 {
			<-time.After(2 * o.Timeout)
		}
		return nil
	})
	if err != nil || n != 2 {
		t.Errorf("%d results, %v", n, err)
	}
}

// TestAbort runs an instruction that works for long after it was stopped.
func TestAbort(t *testing.T) {
	t.Parallel()
	aborted := make(chan error, 1)
	ctx, stop := context.WithCancelCause(t.Context())
	cause := errors.New("stopped by the test")
	stop(cause)
	g := newGuard(ctx, 0, 0, func(err error) { aborted <- err })
	if err := <-aborted; !errors.Is(err, cause) {
		t.Errorf("got %v", err)
	}
	g.end()
}

func TestPrinter(t *testing.T) {
	results := []string{`"a\nb"`, `{"a":1}`, `[]`, `7`, `"[1]"`, `[null]`}
	const object = `{"digest":"sha256:1","results":[`
	for _, c := range []struct {
		format     Format
		none, want string
	}{
		{Format{}, "", `"a\nb"` + "\n" + `{"a":1}` + "\n[]\n7\n\"[1]\"\n[null]\n"},
		{Format{Raw: true}, "", "a\nb\n" + `{"a":1}` + "\n[]\n7\n[1]\n[null]\n"},
		{Format{Pretty: true}, "", `"a\nb"` + "\n{\n  \"a\": 1\n}\n[]\n7\n\"[1]\"\n[\n  null\n]\n"},
		{Format{Raw: true, Pretty: true}, "", "a\nb\n{\n  \"a\": 1\n}\n[]\n7\n[1]\n[\n  null\n]\n"},
		{Format{Digest: "sha256:1"}, object + `],"count":0}` + "\n", object + `"a\nb",{"a":1},[],7,"[1]",[null]],"count":6}` + "\n"},
	} {
		for _, want := range []string{c.none, c.want} {
			var out strings.Builder
			p := NewPrinter(&out, c.format)
			for _, text := range results {
				if want == c.none {
					break
				}
				if err := p.Add([]byte(text)); err != nil {
					t.Fatal(err)
				}
			}
			if err := p.Close(); err != nil || out.String() != want {
				t.Errorf("%+v: got %q, %v, want %q", c.format, out.String(), err, want)
			}
		}
	}
}

// repeated is a text many times over.
type repeated struct {
	text string
	left int
	at   int
}

func (r *repeated) Read(b []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n := copy(b, r.text[r.at:])
	if r.at += n; r.at == len(r.text) {
		r.at = 0
		r.left--
	}
	return n, nil
}

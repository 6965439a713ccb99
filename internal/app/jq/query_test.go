package jq

import (
	"context"
	"errors"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/app/query"
)

func run(t testing.TB, expr, in string, o query.Options) (string, error) {
	t.Helper()
	var out []string
	err := query.Run(context.Background(), Language, expr, strings.NewReader(in), o, func(text []byte) error {
		out = append(out, string(text))
		return nil
	})
	return strings.Join(out, "\n"), err
}

func TestRun(t *testing.T) {
	for _, c := range []struct {
		name, expr, in, want string
		o                    query.Options
	}{
		{"a member", ".a", `{"a":1}`, "1", query.Options{}},
		{"large integers keep their digits", ".[]", `[12345678901234567890123, -9007199254740993]`, "12345678901234567890123\n-9007199254740993", query.Options{}},
		{"large integers are added exactly", ".a+1", `{"a":9007199254740993}`, "9007199254740994", query.Options{}},
		{"a fraction keeps its spelling", ".", `1.10`, "1.10", query.Options{}},
		{"NDJSON is a value a line", ".n", "{\"n\":1}\n{\"n\":2}\n", "1\n2", query.Options{}},
		{"values without separators", ".", "1 2[3]", "1\n2\n[3]", query.Options{}},
		{"null and inputs", "[inputs]", "1 2 3", "[1,2,3]", query.Options{Null: true}},
		{"halt", "if . == 2 then halt else . end", "1 2 3", "1", query.Options{}},
		{"no value", ".", "", "", query.Options{}},
		{"the environment is not there", "$ENV|length", "0", "0", query.Options{}},
		{"a byte order mark is skipped", ".a", "\ufeff{\"a\":1}", "1", query.Options{}},
		{"shorter than the mark", ".", "7", "7", query.Options{}},
		{"text is not escaped for HTML", ".", `"<&>"`, `"<&>"`, query.Options{}},
	} {
		got, err := run(t, c.expr, c.in, c.o)
		if err != nil || got != c.want {
			t.Errorf("%s: got %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name, expr, in, want string
		o                    query.Options
	}{
		{"text that is no JSON", ".", "hello", "no JSON at byte 1", query.Options{}},
		{"an offset after a mark", ".", "\ufeffhello", "no JSON at byte 4", query.Options{}},
		{"JSON that ends too soon", ".", `{"a":`, "ends in the middle", query.Options{}},
		{"a value that is too large", ".", `"` + strings.Repeat("x", 5000) + `"`, "more than 1000 bytes", query.Options{MaxValue: 1000}},
		{"an expression that fails", ".a", "[]", "run expression", query.Options{}},
	} {
		if _, err := run(t, c.expr, c.in, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", c.name, err)
		}
	}
	short, small := query.Options{Timeout: 50 * time.Millisecond}, query.Options{MaxMemory: 4 << 20}
	both := query.Options{Timeout: short.Timeout, MaxMemory: small.MaxMemory}
	for _, c := range []struct {
		expr, want string
		o          query.Options
	}{
		{"def f: f; f", "more than 50ms", short},
		{"last(range(1e15))", "more than 50ms", short},
		{"def f: [f]; f", "more than", both},
		{"[range(1e12)]", "more than", both},
		{"[range(1e12)]", "4 MiB of memory", small},
		{"[limit(1e9; repeat(\"x\"))]", "4 MiB of memory", small},
		{"input", "no more inputs", both},
	} {
		if _, err := run(t, c.expr, "1", c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", c.expr, err)
		}
	}
	if _, err := run(t, "reduce range(20000) as $i (null; [.])", "1", query.Options{}); err == nil || !strings.Contains(err.Error(), "more than 10000 levels") {
		t.Errorf("a deep value gave %v", err)
	}
	var bad *query.Error
	for _, expr := range []string{".[", "nosuch", "import \"x\" as x; .", "input_filename_"} {
		if _, err := run(t, expr, "1", query.Options{}); !errors.As(err, &bad) {
			t.Errorf("%q gave %v", expr, err)
		}
	}
}

// What an expression has thrown away does not count as its memory.
func TestGarbageIsNoMemory(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // nobody collects it but the guard
	const heap = 16 << 20
	var before, made runtime.MemStats
	runtime.ReadMemStats(&before)
	for made.TotalAlloc < before.TotalAlloc+3*heap/2 {
		if out, err := run(t, "last(range(300000))", "1", query.Options{MaxMemory: heap}); out != "299999" || err != nil {
			t.Fatalf("%q, %v", out, err)
		}
		runtime.ReadMemStats(&made)
	}
}

func TestManyValuesNeedLittleMemory(t *testing.T) {
	in := &repeated{text: `{"n":1,"pad":"` + strings.Repeat("x", 100) + `"}` + "\n", left: 20_000}
	n := 0
	err := query.Run(context.Background(), Language, ".n", in, query.Options{MaxValue: 128 << 10}, func([]byte) error { n++; return nil })
	if err != nil || n != 20_000 {
		t.Errorf("%d results, %v", n, err)
	}
}

// TestSlowReaderHasTime takes longer for the first of two results than the limit allows the
// expression.
func TestSlowReaderHasTime(t *testing.T) {
	t.Parallel()
	n := 0
	o := query.Options{Timeout: 300 * time.Millisecond}
	err := query.Run(context.Background(), Language, "range(2)", strings.NewReader("1"), o, func([]byte) error {
		if n++; n == 1 {
			<-time.After(2 * o.Timeout)
		}
		return nil
	})
	if err != nil || n != 2 {
		t.Errorf("%d results, %v", n, err)
	}
}

func TestRaw(t *testing.T) {
	for in, want := range map[string]string{`"a\nb"`: "a\nb", `{"a":1}`: `{"a":1}`, "1": "1"} {
		if got := string(query.Raw([]byte(in))); got != want {
			t.Errorf("%s gave %q", in, got)
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

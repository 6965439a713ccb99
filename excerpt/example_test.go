package excerpt_test

import (
	"fmt"
	"strings"

	"github.com/envwrap/envwrap/excerpt"
)

func ExampleWriter() {
	var log strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&log, "=== RUN   TestCase%d\n--- PASS: TestCase%d (0.00s)\n", i, i)
		if i == 700 {
			log.WriteString("=== RUN   TestPrune\n    prune_test.go:41: got 3 objects, want 2\n--- FAIL: TestPrune (0.01s)\n")
		}
	}
	log.WriteString("FAIL\nFAIL\texample.com/app/store\t0.412s\nFAIL\n")

	var w excerpt.Writer
	_, _ = w.Write([]byte(log.String())) // in as many pieces as you like
	x := w.Excerpt(512)
	fmt.Print(x.Text)

	next, _ := x.Next()
	best, _ := w.Best(200)
	fmt.Println("read on with", next.Option())
	fmt.Println("it failed because of", best)
	// Output:
	// === RUN   TestCase0
	// ... 1,399 lines (2-1400) ...
	// === RUN   TestCase700
	// --- PASS: TestCase700 (0.00s)
	// === RUN   TestPrune
	//     prune_test.go:41: got 3 objects, want 2
	// --- FAIL: TestPrune (0.01s)
	// === RUN   TestCase701
	// --- PASS: TestCase701 (0.00s)
	// === RUN   TestCase702
	// --- PASS: TestCase702 (0.00s)
	// === RUN   TestCase703
	// --- PASS: TestCase703 (0.00s)
	// ... 589 lines (1412-2000) ...
	// --- PASS: TestCase998 (0.00s)
	// === RUN   TestCase999
	// --- PASS: TestCase999 (0.00s)
	// FAIL
	// FAIL	example.com/app/store	0.412s
	// FAIL
	// read on with --lines 2:639
	// it failed because of prune_test.go:41: got 3 objects, want 2
}

package literal

import "testing"

// BenchmarkStart makes what is made before the first byte and the first long text: a
// searcher with an index that is linked in, and the table of pairs.
func BenchmarkStart(b *testing.B) {
	for name, start := range map[string]func(){
		"searcher": func() { indexed(builtin[:], &builtinIndex) },
		"table":    func() { newPairTable(builtin[:]) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				start()
			}
		})
	}
}

// The built-in literals allocate only a few words.
func TestStart(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { indexed(builtin[:], &builtinIndex) }); n > 8 {
		t.Errorf("%v allocations, want 8 or fewer", n)
	}
}

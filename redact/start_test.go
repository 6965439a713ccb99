package redact

import "testing"

// What is made before the first byte, the first long text, and the first known
// value: an index that is linked in, the table of pairs, and the needles.
func BenchmarkStart(b *testing.B) {
	value := []knownValue{{Rule: "env:X", Secret: known}}
	for name, start := range map[string]func(){
		"rules": func() { indexed(literals[:], &literalWindows) },
		"table": func() { newPairTable(literals[:]) },
		"known": func() { newKnownSet(value) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				start()
			}
		})
	}
}

// Nothing is made for the built-in rules but a few words.
func TestStart(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { indexed(literals[:], &literalWindows) }); n > 8 {
		t.Errorf("%v allocations, want 8 or fewer", n)
	}
}

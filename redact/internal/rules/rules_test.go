package rules

import (
	"testing"

	"github.com/envwrap/envwrap/redact/internal/literal"
)

// The searcher has the literals of the tables, each with its rule, and no others.
func TestLiterals(t *testing.T) {
	want, s := map[literal.Literal]bool{}, literal.Builtin()
	for _, l := range Literals() {
		if len(l.Text) < minLiteral || want[l] {
			t.Errorf("%+v is too short or there twice", l)
		}
		want[l] = true
	}
	for i := range s.Len() {
		if l := *s.Literal(i); !want[l] {
			t.Errorf("%+v is in no table", l)
		} else {
			delete(want, l)
		}
	}
	if len(want) > 0 {
		t.Errorf("not searched for: %v", want)
	}
}

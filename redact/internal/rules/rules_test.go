package rules

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/redact/internal/literal"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/rules/assignment"
	"github.com/envwrap/envwrap/redact/internal/syntax"
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

// What Quick refuses, a name in a sentence, has no value, and leaves nothing to the next line.
func TestQuickRefusesWhatHasNoValue(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 21))
	words := strings.Fields("refreshed closed for ada is to by in the new user: 721465/5f2a x7Kq9vLm2Zp4Tr 42 = := (once) , | { as string int " +
		"lautet set code key access-token Content password: reset session expired, (x) value default was -p [1] t.T manager AbCdEf12345 \\n eq \"x1y2z3w4\" a.b@c.d")
	starts := []string{"", "INFO ", "2026-03-01T10:00:00Z worker-3 ", "| ", "nexpected ", `"`, "api ", "wandb ", "ada, ", "# ", "  - "}
	refused := 0
	for range 20_000 {
		k := names.Keywords[r.IntN(len(names.Keywords))].Text
		start := starts[r.IntN(len(starts))]
		line := start + k
		for range 1 + r.IntN(8) {
			line += " " + words[r.IntN(len(words))]
		}
		text := []byte(line + "\n")
		if assignment.Quick(text, len(start), len(start)+len(k)) {
			continue
		}
		refused++
		var v match.View
		var marks syntax.QuoteMarks
		v.Show(text, &marks)
		v.Hi, v.Limit = len(line), len(line)
		assignment.Find(&v, len(start))
		if none := (match.State{}); len(v.Spans) > 0 || v.Next != none {
			t.Fatalf("%q: %v, %s", line, v.Spans, fmt.Sprintf("%+v", v.Next))
		}
	}
	if refused < 200 {
		t.Errorf("%d lines are refused: the test shows little", refused)
	}
	for line, want := range map[string]bool{
		" token refreshed for ada/7 in 1 ms\n": false, " token refreshed for ada\n": false, " token refreshed for ada, bob\n": false,
		" token string = x\n": true, " token refreshed for ada is x\n": true, " token changed to x\n": true, " token of the user: x\n": true,
		" token refreshed (once): x\n": true, " token access x\n": true, " token refreshed for": true, "-token refreshed for ada\n": true, " token: refreshed\n": true,
	} {
		if got := assignment.Quick([]byte(line), 1, 1+len("token")); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// In a text that repeats itself the same literals are found as by looking at all of it.
func TestRepetition(t *testing.T) {
	s := literal.Builtin()
	for i := 0; i < s.Len(); i += matrix.Every(120) {
		for _, sign := range []string{"", " ", "='"} {
			unit := s.Literal(i).Text + sign
			text := []byte("x: 1" + strings.Repeat(unit, (24<<10)/len(unit)) + " and " + strings.Repeat("b"+unit, (24<<10)/len(unit)) + "\n")
			want := sift(s.Find(nil, text, nil), 0, text)
			if got := Find(nil, text, nil); !slices.Equal(got, want) {
				t.Errorf("%q again and again: %d hits are not the %d that there are", unit, len(got), len(want))
			}
		}
	}
}

package classify

import (
	"testing"

	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// Features that only several rules of the table together would show.
func TestFeatures(t *testing.T) {
	for _, c := range []struct {
		of        Feature
		yes, none []string
	}{
		{rootedPath, []string{`password=/srv/app/key`, `password=~/keys/app`, `password=~/documents`}, []string{`password=srv/app/key`, `password=hunter22`, `password=q7Zk3v`}},
		{list, []string{`password="a,b"`}, []string{`password=ab`}},
		{manyKinds, []string{`token=ABCdef123`}, []string{`token=ABdef123`, `token=ABCde123`, `token=ABCdef12`}},
		{twoDigits, []string{`password=ab12`}, []string{`password=abc1`}},
		{openAndPlain, []string{`password="blue`}, []string{`password="blue"`, `password="q7Zk3vB9xT2mL5wR`, `password=blue`}},
		{variableInQuotes, []string{`"DB_PASSWORD": "abc1"`}, []string{`DB_PASSWORD=abc1`}},
		{weakToken, []string{`token=abcdefghijkl123`}, []string{`token=abcdefghijkl12`, `token: abcdefghijkl123`}},
		{uuid, []string{`token=123e4567-e89b-12d3-a456-426614174000`}, []string{`token=123e4567-e89b-12d3-a456`}},
	} {
		for i, line := range append(c.yes, c.none...) {
			if got, want := featureTable[c.of].of(candidateOf(line)), i < len(c.yes); got != want {
				t.Errorf("%s: %s: %t", line, c.of, got)
			}
		}
	}
}

// candidateOf returns the value of the first name in a line.
func candidateOf(line string) *candidate {
	l := &syntax.Line{}
	l.Show([]byte(line), &syntax.QuoteMarks{})
	pos := 0
	for !('A' <= line[pos] && line[pos] <= 'z') {
		pos++
	}
	f := Field{Name: l.NameAt(pos)}
	f.Strength = names.StrengthOf(f.Bytes(), nil)
	i, op := f.Operator()
	f.Op = op
	f.Read(i)
	return &candidate{f, *value.TraitsOf(f.Text[f.Value.Start:f.Value.End])}
}

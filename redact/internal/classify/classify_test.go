package classify

import (
	"testing"

	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

func TestSecret(t *testing.T) {
	for _, c := range []struct {
		line  string
		shows string // "" where the value is no secret
	}{
		{`password="blue"`, "is in quotes"},
		{`password=hunter22`, "is not the name of a variable"},
		{`token: q7Zk3vB9xT2mL5wR`, "looks random"},
		{`DB_PASSWORD=CopperGarnet`, "is a word in a file of settings"},
		{`password=$PASSWORD`, ""},
		{`password=cfg.password`, ""},
		{`token="token"`, ""},
		{`token = nextToken`, ""},
		{`PASS: hunter22`, ""},
		{`password refreshed`, ""},
	} {
		l := &syntax.Line{}
		l.Show([]byte(c.line), &syntax.QuoteMarks{})
		pos := 0
		for !('A' <= c.line[pos] && c.line[pos] <= 'z') {
			pos++
		}
		f := Field{Name: l.NameAt(pos)}
		f.Strength = names.StrengthOf(f.Bytes(), nil)
		i, op := f.Operator()
		f.Op = op
		f.Read(i)
		switch secret := f.Secret(); {
		case secret != (c.shows != ""):
			t.Errorf("%s: secret %t, want %t", c.line, secret, !secret)
		case secret && f.Shows.String() != c.shows:
			t.Errorf("%s: shows %q, want %q", c.line, f.Shows, c.shows)
		}
	}
}

func TestRead(t *testing.T) {
	for _, c := range []struct{ line, value string }{
		{`password=a1b2&c3d4`, "a1b2&c3d4"},
		{`password=a1b2&user=ada`, "a1b2"},
		{`token=12|q7Zk3vB9xT2mL5wR8cN4pY6s is new`, "12|q7Zk3vB9xT2mL5wR8cN4pY6s"},
		{`token=q7Zk3vB9}x4T2m`, "q7Zk3vB9}x4T2m"},
		{`token=" q7Zk3vB9 "`, "q7Zk3vB9"},
		{`token%3Dq7Zk3vB9%26user`, "q7Zk3vB9"},
	} {
		l := &syntax.Line{}
		l.Show([]byte(c.line), &syntax.QuoteMarks{})
		f := Field{Name: l.NameAt(0)}
		f.Strength = names.StrengthOf(f.Bytes(), nil)
		i, op := f.Operator()
		f.Op = op
		if f.Read(i); c.line[f.Value.Start:f.Value.End] != c.value {
			t.Errorf("%s: value %q, want %q", c.line, c.line[f.Value.Start:f.Value.End], c.value)
		}
	}
}

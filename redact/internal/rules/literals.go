package rules

import (
	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/literal"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/rules/command"
	"github.com/envwrap/envwrap/redact/internal/rules/service"
	"github.com/envwrap/envwrap/redact/internal/rules/token"
	"github.com/envwrap/envwrap/redact/internal/rules/url"
)

// minLiteral is the least length of a literal that can be searched for.
const minLiteral = 3

// Literals lists the literals of the rules, by which literal.Builtin is generated.
func Literals() []literal.Literal {
	var out []literal.Literal
	add := func(of kind, arg int, l literal.Literal) {
		l.ID = uint16(of)<<argBits | uint16(arg)
		out = append(out, l)
	}
	for i := range token.Groups {
		g := &token.Groups[i]
		for _, text := range longEnough(g.Prefix, g.Class()) {
			next, least := g.Follow(len(text) - len(g.Prefix))
			add(ofToken, i, literal.Literal{Text: text, Start: len(text) < token.MinWithin, Next: next, Nexts: uint8(least)})
		}
	}
	for i, k := range names.Keywords {
		add(ofName, i, literal.Literal{Text: k.Text, Fold: !k.Exact})
	}
	for i, x := range token.Infixes {
		if len(x.Literal) >= minLiteral {
			add(ofInfix, i, literal.Literal{Text: x.Literal})
			continue
		}
		for d := '0'; d <= '9'; d++ {
			add(ofInfix, i, literal.Literal{Text: string(d) + x.Literal})
		}
	}
	for i, v := range service.Vendors {
		add(ofVendor, i, literal.Literal{Text: v.Name, Fold: true})
	}
	for i, w := range url.Webhooks {
		add(ofWebhook, i, literal.Literal{Text: w.Literal})
	}
	for i, p := range command.Programs {
		add(ofProgram, i, literal.Literal{Text: p.Name + " ", Fold: true})
	}
	for i, m := range matchers {
		for _, text := range m.literals {
			add(ofMatcher, i, literal.Literal{Text: text, Fold: m.fold})
		}
	}
	return out
}

// longEnough returns prefix, or, if it is too short to be searched for, prefix with each
// byte that may follow it.
func longEnough(prefix string, k ascii.Class) []string {
	if len(prefix) >= minLiteral {
		return []string{prefix}
	}
	var out []string
	for c := range 256 {
		if ascii.Is(byte(c), k) {
			out = append(out, prefix+string(rune(c)))
		}
	}
	return out
}

package redact

import (
	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// quoteScalars notes which masks need quotes, since they are scalars of YAML: there ***
// would be the name of an alias. open is what the line before left.
//
// Such a line is indented, and has nothing but a name, or the dash of a list, before
// the value, and nothing after it; at the margin it could as well be a header or a
// sentence, which stay as they are.
func (v *view) quoteScalars(open pending) {
	if v.cutLeft || v.cutRight {
		return
	}
	for i := range v.spans {
		if s := &v.spans[i]; len(syntax.TrimRight(v.Text[s.end:v.Hi])) == 0 && open.startsScalar(&v.Line, s.start) {
			s.bare = true
		}
	}
}

// startsScalar reports whether a plain scalar of YAML begins at i.
func (p pending) startsScalar(l *syntax.Line, i int) bool {
	b := l.Text[l.Lo:i]
	n := ascii.Run(b, ascii.Blank)
	if n == 0 || l.Text[l.Lo] == '\t' {
		return false
	}
	listed := n+2 <= len(b) && b[n] == '-' && b[n+1] == ' '
	if listed {
		n += 2
	}
	if n == len(b) {
		return listed || p.below
	}
	name := ascii.Run(b[n:], ascii.Word|ascii.Dash|ascii.Dot)
	return name > 0 && !(ascii.Is(b[n], ascii.Upper) && ascii.Contains(b[n:n+name], '-')) && // a header
		n+name < len(b) && b[n+name] == ':' && n+name+1+ascii.Run(b[n+name+1:], ascii.Blank) == len(b) && b[len(b)-1] == ' '
}

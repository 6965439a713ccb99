package redact

import (
	"github.com/envwrap/envwrap/redact/internal/classify"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

const ruleAssignment = "assignment"

// mark marks the value of f, which is a secret.
func (v *view) mark(f *classify.Field) {
	n := len(v.spans)
	if v.add(f.Value.Start, f.Value.End, ruleAssignment); len(v.spans) > n {
		v.spans[n].shows = f.Shows
	}
}

// nameless is a name for a value whose own is on another line.
func (v *view) nameless() syntax.Name { return syntax.Name{Line: &v.Line, Start: v.Lo, End: v.Lo} }

package assignment

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/classify"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

const (
	maxListed = 32 // values of a list that are searched
	minListed = 12 // the least length of one: a short one is a name
)

// findListed marks the secret values after the bracket at i: name: ["a", "b"]. They may be
// on the next lines.
func findListed(v *match.View, f classify.Field, i int) {
	if len(syntax.TrimRight(v.Text[i:v.Hi])) == 1 {
		v.Expect(f.Strength, syntax.OpList)
		return
	}
	for range maxListed {
		readListed(&f, v.SkipSpaces(i+1))
		markListed(v, &f)
		if i = f.Value.End; f.Quote.Mark != 0 {
			i = f.Quote.After
		}
		if i = v.SkipSpaces(i); i >= v.Hi || v.Text[i] != ',' {
			return
		}
	}
}

// markListed marks a value of a list if it is a secret.
func markListed(v *match.View, f *classify.Field) {
	t := value.TraitsOf(v.Text[f.Value.Start:f.Value.End])
	if f.Strength < names.Strong && (t.Digits == 0 || t.Slashes > 0) {
		return // names, or paths
	}
	if i := bytes.IndexByte(t.Bytes, '('); i > 0 && t.Bytes[i-1] == ' ' && t.Bytes[t.Len-1] == ')' {
		return // a package and its versions
	}
	if (t.Random(minListed) || t.UUID() || f.Strength >= names.Strong && t.Jumbled() || f.Strength == names.Password && t.Len >= value.MinPassword && t.Digits > 0 && t.Digits < t.Len) && f.Secret() {
		v.Mark(f)
	}
}

// listedBelow marks a secret value, on the line, of a list that began before it, "value",
// of JSON, or - value of YAML, and goes on with the line after it.
func listedBelow(v *match.View, p match.Pending, i int) {
	if v.Text[i] == '-' {
		i = v.SkipSpaces(i + 1)
	}
	f := classify.Field{Name: v.Nameless(), Strength: p.Strength, Op: syntax.OpColon}
	readListed(&f, i)
	if f.Value.Start == f.Value.End || len(syntax.TrimValue(v.Text[f.Value.End:v.Hi])) > 0 {
		return
	}
	v.Expect(p.Strength, syntax.OpList)
	markListed(v, &f)
}

// readListed reads the value at i of a list.
func readListed(f *classify.Field, i int) {
	if f.Value, f.Quote = f.Line.Value(i); f.Strength == names.Password && f.Quote.Mark == 0 && !bytes.HasPrefix(f.Text[f.Value.End:f.Hi], []byte(",")) {
		f.TakeSigns(f.Value.Start)
	}
}

// numberedItem returns the length of the number before the item of a list that Redis's
// client prints: 1) "name".
func numberedItem(b []byte) int {
	n := ascii.Run(b, ascii.Blank)
	n += ascii.Run(b[n:], ascii.Digit)
	if n == 0 || !bytes.HasPrefix(b[n:], []byte(`) "`)) {
		return 0
	}
	return n + len(") ")
}

// listedOption reports whether the option is all of an item in a list of arguments, whose next
// item is its value: - --password, or "--password", of JSON.
func listedOption(n syntax.Name) bool {
	before, after := bytes.TrimSpace(n.Text[n.Lo:n.Start]), syntax.TrimRight(n.Text[n.End:n.Hi])
	switch string(before) + string(after) {
	case "-", `- ""`, "- ''", `"",`:
		return len(before) > 0
	}
	return false
}

package envelope

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// A Loss is a member of a document that is lost in a translation.
type Loss struct {
	Pointer string `json:"pointer"` // JSON Pointer into the document
	Text    string `json:"text"`    // what it was, and what it is in the translation
}

// String returns the loss as a line of text. The pointer to the whole document is
// written as "/".
func (l Loss) String() string { return wire.OrRoot(l.Pointer) + " " + l.Text }

// Convert translates an envelope of dialect from into one of dialect to. To find what to
// cannot carry it translates the result back: lost are the members of doc that are then
// missing or different, and output that is inline above the limit of to. For brief/v1, which cannot be read, lost is always nil. By default
// output that is in no store is included. An error comes from Decode or Encode.
func Convert(from, to Dialect, doc []byte, o EncodeOptions) (out []byte, lost []Loss, err error) {
	r, err := Decode(from, doc)
	if err != nil {
		return nil, nil, err
	}
	if r.Progress && to != from && !to.Events() {
		return nil, nil, fmt.Errorf("write a progress event as %s: the format has none", to.Name())
	}
	if o.IncludeOutput == IncludeDefault {
		o.IncludeOutput = r.include()
	}
	if out, err = Encode(to, r, o); err != nil {
		return nil, nil, err
	}
	if to.IsText() {
		return out, nil, nil
	}
	there, err := Decode(to, out)
	if err != nil {
		return nil, nil, fmt.Errorf("read the %s envelope back: %w", to.Name(), err)
	}
	there.lean = false // what a lean form leaves out is not lost
	back, err := Encode(from, there, EncodeOptions{IncludeOutput: there.include()})
	if err != nil {
		return nil, nil, err
	}
	return out, append(losses(from.self(), doc, back), oversize(from, to, out)...), nil
}

// oversize returns a loss if a translation has more inline than its dialect allows, which keeps
// the rest in artifacts: a translation has no store.
func oversize(from, d Dialect, doc []byte) []Loss {
	if from == d || len(doc) <= inlineMost {
		return nil
	}
	for _, f := range Validate(d, doc, ValidateOptions{Strict: true}) {
		if f.Rule == "protocol/inline-size" {
			return []Loss{{"", "is too large in " + d.Name() + ": " + f.Text}}
		}
	}
	return nil
}

// include returns the choice to include output that loses none of r: with it where
// the envelope is the only place that has some.
func (r *Result) include() Include {
	for _, s := range []*Stream{&r.Stdout, &r.Stderr} {
		if s.Artifact == "" && s.Bytes > 0 {
			return IncludeAlways
		}
	}
	return IncludeNever
}

// losses returns the members in which two documents of one dialect differ. What
// only the second one has is no loss.
func losses(d *dialect, doc, back []byte) []Loss {
	var list []Loss
	if d.unframe != nil {
		var before, after string
		doc, before, _ = d.unframe(doc)
		if back, after, _ = d.unframe(back); before != after {
			list = append(list, Loss{"", "the markdown is made anew"})
		}
	}
	c := comparison{lost: list}
	c.value("", doc, back)
	return c.lost
}

type comparison struct{ lost []Loss }

func (c *comparison) value(pointer string, a, b []byte) {
	switch {
	case b == nil:
		c.lose(pointer, "%s is left out", shown(a))
	case jsontext.Kind(a) == '{' && jsontext.Kind(b) == '{':
		other := wire.FieldsIn(b)
		for name, value := range jsontext.Members(a) {
			c.value(string(jsontext.AppendPointer([]byte(pointer+"/"), name)), value, other.Get(name))
		}
	case jsontext.Kind(a) == '[' && jsontext.Kind(b) == '[':
		c.list(pointer, a, b)
	case !sameJSON(a, b) && !sameTime(wire.StringIn(a), wire.StringIn(b)) && !sameNumber(a, b):
		c.lose(pointer, "%s comes back as %s", shown(a), shown(b))
	}
}

func (c *comparison) list(pointer string, a, b []byte) {
	var other [][]byte
	for _, e := range jsontext.Elements(b) {
		other = append(other, e)
	}
	for i, e := range jsontext.Elements(a) {
		var match []byte
		if i < len(other) {
			match = other[i]
		}
		c.value(pointer+"/"+strconv.Itoa(i), e, match)
	}
}

func (c *comparison) lose(pointer, format string, args ...any) {
	c.lost = append(c.lost, Loss{pointer, fmt.Sprintf(format, args...)})
}

// shown returns a value within a line.
func shown(raw []byte) string {
	return wire.Shorten(string(jsontext.AppendCompact(nil, raw)), 60)
}

// sameTime reports whether two texts are the same instant, however spelled.
func sameTime(a, b string) bool {
	x, err := time.Parse(time.RFC3339Nano, strings.ToUpper(a))
	if err != nil {
		return false
	}
	y, err := time.Parse(time.RFC3339Nano, strings.ToUpper(b))
	return err == nil && x.Equal(y)
}

// sameNumber reports whether two numbers differ in no more than zeros after
// their points.
func sameNumber(a, b []byte) bool {
	return jsontext.Kind(a) == 0 && jsontext.Kind(b) == 0 && plainNumber(a) == plainNumber(b)
}

func plainNumber(raw []byte) string {
	s := string(jsontext.TrimSpace(raw))
	if strings.Contains(s, ".") && !strings.ContainsAny(s, "eE") {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	return s
}

package envelope

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// testdata/envelopes/decoded.txt has a row for each member of each dialect, and
// each way in which it may be odd and the document valid: what is other, once it
// is decoded, than in the document it was made of. UPDATE=1 writes it anew.
func TestDecoded(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	for _, d := range Dialects() {
		frame := func(doc []byte) []byte { return doc }
		if d.self().unframe != nil {
			frame = func(doc []byte) []byte { return d.self().frame(doc, newView(newRun(0, "", "", "x"), EncodeOptions{})) }
		}
		fmt.Fprintf(&b, "%s\n", d.Name())
		seen := map[string]bool{}
		for _, v := range validDocuments(t, d) {
			inner := v.doc
			if d.self().unframe != nil {
				inner, _, _ = d.self().unframe(v.doc)
			}
			w, _ := d.self().read(frame(inner), false)
			r, err := Decode(d, frame(inner))
			if err != nil {
				t.Fatal(err)
			}
			ours, foreign := valuesOf(r), valuesOf(d.self().record(w))
			oddities("", inner, func(what string, doc func() []byte) {
				if seen[what] || strings.Count(what, "/") > 4 {
					return
				}
				seen[what] = true
				r, err := Decode(d, frame(doc()))
				if err != nil {
					return
				}
				before := ours
				if r.Dialect != "" {
					before = foreign
				}
				other := difference(before, valuesOf(r))
				if before["Dialect"] != ours["Dialect"] {
					other = "  no run of ours" + other
				}
				if other != "" {
					b.WriteString(what + other + "\n")
				}
			})
		}
	}
	compareGolden(t, filepath.Join("..", "testdata", "envelopes", "decoded.txt"), b.Bytes())
}

// difference returns what is other in the second of two records.
func difference(before, after map[string]string) string {
	var b strings.Builder
	for _, at := range slices.Sorted(maps.Keys(after)) {
		if after[at] != before[at] {
			b.WriteString("  " + at + "=" + after[at])
		}
	}
	for _, at := range slices.Sorted(maps.Keys(before)) {
		if short := firstParts.FindString(at); after[at] == "" && !strings.HasSuffix(b.String(), "  -"+short) {
			b.WriteString("  -" + short)
		}
	}
	return b.String()
}

var firstParts = regexp.MustCompile(`^\w+(\.\w+)?`)

// valuesOf returns the fields of a record that have a value, by their path.
func valuesOf(r *Result) map[string]string {
	values := map[string]string{}
	var walk func(at string, v reflect.Value)
	walk = func(at string, v reflect.Value) {
		switch {
		case !v.IsValid() || v.IsZero():
		case v.Kind() == reflect.Pointer:
			walk(at, v.Elem())
		case v.Type() == reflect.TypeFor[wire.Field]():
			f, _ := reflect.TypeAssert[wire.Field](v)
			walk(at[:strings.LastIndexByte(at, '.')]+"/"+f.Name, reflect.ValueOf(f.Value))
		case v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[time.Time]():
			for f, e := range v.Fields() {
				if f.IsExported() {
					walk(strings.TrimPrefix(at+"."+f.Name, "."), e)
				}
			}
		case v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8:
			for i := range v.Len() {
				walk(at+"."+strconv.Itoa(i), v.Index(i))
			}
		default:
			text := fmt.Sprint(v)
			if b, ok := reflect.TypeAssert[json.RawMessage](v); ok {
				text = string(b)
			}
			if len(text) > 50 {
				text = fmt.Sprintf("%.30s… %d:%04x", text, len(text), crc32.ChecksumIEEE([]byte(text))&0xffff)
			}
			if at != "Payload" { // it is the document's own
				values[at] = strconv.Quote(text)
			}
		}
	}
	walk("", reflect.ValueOf(r))
	return values
}

// odd are values that stand in for another of their kind.
var odd = map[byte][]string{
	'"': {`""`, `"x"`, `"` + strings.Repeat("y", 5000) + `"`},
	'0': {`0`, `-1`, `9007199254740993`},
	't': {`false`},
	'f': {`true`},
	'{': {`{}`},
	'[': {`[]`},
}

// oddities yields documents in which one member is missing, null, or has an odd
// value, and what is odd.
func oddities(pointer string, raw json.RawMessage, yield func(what string, doc func() []byte)) {
	f := wire.FieldsIn(raw)
	for i, m := range f {
		at := pointer + "/" + m.Name
		put := func(value func() []byte) func() []byte {
			return func() []byte {
				g := slices.Clone(f)
				g[i].Value = value()
				return wire.EncodeObject(g)
			}
		}
		text := func(value string) func() []byte { return put(func() []byte { return []byte(value) }) }
		yield(at+" missing", func() []byte { return wire.EncodeObject(f.Without(m.Name)) })
		yield(at+" null", text("null"))
		kind := jsontext.Kind(m.Value)
		switch kind {
		case 0:
			kind = '0'
		case '{':
			oddities(at, m.Value, func(what string, doc func() []byte) { yield(what, put(doc)) })
		case '[':
			var items []json.RawMessage
			for _, e := range jsontext.Elements(m.Value) {
				items = append(items, e)
			}
			if len(items) > 0 {
				oddities(at+"/0", items[0], func(what string, doc func() []byte) {
					yield(what, put(func() []byte {
						return wire.MustEncode(append([]json.RawMessage{doc()}, items[1:]...))
					}))
				})
			}
		}
		for _, value := range odd[kind] {
			yield(at+" "+wire.Shorten(value, 20), text(value))
		}
	}
}

package redact

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"go/format"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/token"
)

var (
	generate = flag.Bool("generate", false, "write literals_gen.go")
	anew     = flag.Bool("anew", false, "choose all windows, not only those of new literals")
	count    = flag.String("grams", "", "write testdata/grams.gz, counted over the `file`")
)

// literals_gen.go is what the tables of rules say, with windows that are as rare
// as they can be in ordinary text, going by testdata/grams.gz. With -generate it
// is written: what it has keeps its place and its windows, so that a new row of a
// table changes a few lines. With -anew all is chosen again, and with -grams the
// other file is made from a text.
func TestLiterals(t *testing.T) {
	const name = "literals_gen.go"
	if *count != "" {
		writeGrams(t, *count)
		return
	}
	var old []record
	if !*anew {
		old = literals[:]
	}
	lits, groups := tableLiterals(old)
	kept := keepPlaces(lits, old)
	if kept < len(lits) {
		chooseWindows(lits, kept, readGrams(t))
	}
	src := literalsSource(t, lits, groups)
	if *generate {
		if err := os.WriteFile(name, src, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, src) {
		t.Errorf("%s is not what the tables say: run go generate ./redact", name)
	}
}

// keepPlaces moves those of lits that old has to the front, in the order of old and
// with its windows, and returns how many there are.
func keepPlaces(lits, old []record) (kept int) {
	type key struct {
		literal
		of kind
	}
	rows := map[key][]record{}
	for _, l := range lits {
		k := key{l.literal, l.of}
		rows[k] = append(rows[k], l)
	}
	var first, rest []record
	for _, o := range old {
		k := key{o.literal, o.of}
		if r := rows[k]; len(r) > 0 {
			r[0].windows = o.windows
			first, rows[k] = append(first, r[0]), r[1:]
		}
	}
	for _, l := range lits {
		k := key{l.literal, l.of}
		if r := rows[k]; len(r) > 0 {
			rest, rows[k] = append(rest, r[0]), r[1:]
		}
	}
	copy(lits[copy(lits, first):], rest)
	return len(first)
}

// prefixOf is what the texts of all tokens of the group g in lits begin with.
func prefixOf(lits []record, g int) string {
	var p []byte
	for _, l := range lits {
		switch {
		case l.of != ofToken || int(l.arg) != g:
		case p == nil:
			p = []byte(l.text)
		default:
			for !strings.HasPrefix(l.text, string(p)) {
				p = p[:len(p)-1]
			}
		}
	}
	return string(p)
}

// tableLiterals lists the literals that the tables of rules have, without
// windows, and the tokens of each prefix, in the order of old.
func tableLiterals(old []record) (lits []record, groups []prefixed) {
	on := func(of kind, arg int, text string, fold bool) {
		lits = append(lits, record{literal: literal{text, fold}, of: of, arg: uint16(arg)})
	}
	tokens := map[string]prefixed{}
	var order []string
	for ti, table := range token.Tables {
		for fi, f := range *table {
			for i, tok := range f.Tokens {
				if tokens[tok.Prefix] == nil {
					order = append(order, tok.Prefix)
				}
				tokens[tok.Prefix] = append(tokens[tok.Prefix], tokenRef{uint8(ti), uint8(fi), uint8(i)})
			}
		}
	}
	place := map[string]int{}
	for g := range prefixes {
		if len(old) > 0 {
			place[prefixOf(old, g)] = g - len(prefixes) // before new ones
		}
	}
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(place[a], place[b]) })
	for g, p := range order {
		groups = append(groups, tokens[p])
		_, tok := groups[g][0].get()
		for _, l := range longEnough(p, tok.Class) {
			on(ofToken, g, l, false)
		}
	}
	for i, k := range names.Keywords {
		on(ofName, i, k.Text, !k.Exact)
	}
	for i, x := range infixes {
		if len(x.literal) >= 3 {
			on(ofInfix, i, x.literal, false)
			continue
		}
		for d := '0'; d <= '9'; d++ {
			on(ofInfix, i, string(d)+x.literal, false)
		}
	}
	for i, d := range vendors {
		on(ofVendor, i, d.name, true)
	}
	for i, n := range namedServices {
		on(ofService, i, n, true)
	}
	for i, w := range webhooks {
		on(ofWebhook, i, w.literal, false)
	}
	for i, p := range programs {
		on(ofProgram, i, p.name+" ", true)
	}
	for i, m := range matchers {
		for _, l := range m.literals {
			on(ofMatcher, i, l, m.fold)
		}
	}
	return lits, groups
}

// longEnough is prefix, or where that is too short for a window, prefix with
// every byte that may follow it.
func longEnough(prefix string, k ascii.Class) []string {
	if len(prefix) >= 3 {
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

// literalsSource is literals_gen.go. Its variables are set when the program is linked,
// not when it starts.
func literalsSource(t *testing.T, lits []record, groups []prefixed) []byte {
	x := newWindowIndex(lits)
	var b bytes.Buffer
	b.WriteString("// Code generated by go test -run TestLiterals -generate; DO NOT EDIT.\n\npackage redact\n\n")
	b.WriteString("// literals are those of all rules, with their windows.\nvar literals = [...]record{\n")
	for _, l := range lits {
		fmt.Fprintf(&b, "\t{literal{%q, %v}, %d, %d, [2]window{", l.text, l.fold, l.of, l.arg)
		for _, w := range l.windows {
			fmt.Fprintf(&b, "{%d, %d},", w.off, w.bucket)
		}
		b.WriteString("}},\n")
	}
	b.WriteString("}\n\n// prefixes are the tokens of each prefix.\nvar prefixes = [...]prefixed{\n")
	writeLines(&b, groups, 4, func(g prefixed) {
		b.WriteByte('{')
		for _, r := range g {
			fmt.Fprintf(&b, "{%d, %d, %d}, ", r.table, r.family, r.token)
		}
		b.WriteByte('}')
	})
	b.WriteString("}\n\n// literalWindows is the index of their windows.\nvar literalWindows = windowIndex{\n\tgroups: [...]uint16{\n")
	writeLines(&b, x.groups[:], 64, func(n uint16) { fmt.Fprint(&b, n) })
	b.WriteString("\t},\n\theads: [...]group{\n")
	writeLines(&b, x.heads[:], 1, func(g group) {
		b.WriteByte('{')
		for _, n := range g {
			fmt.Fprintf(&b, "%d,", n)
		}
		b.WriteByte('}')
	})
	b.WriteString("\t},\n\tseen: [...]uint64{\n")
	writeLines(&b, x.seen[:], 8, func(m uint64) { fmt.Fprintf(&b, "%#x", m) })
	b.WriteString("\t},\n\tlist: []listed{\n")
	for i, l := range x.list {
		fmt.Fprintf(&b, "{%#x, %#x, %d, %d, %d, %#x, %#x, %d},", l.want, l.mask, l.lit, l.off, l.is, l.far, l.farMask, l.farAt)
		if next := i + 1; next == len(x.list) || x.list[next].hash()>>(hashBits-headBits) != l.hash()>>(hashBits-headBits) { // a line for each head
			b.WriteByte('\n')
		}
	}
	b.WriteString("\t},\n}\n")
	src, err := format.Source(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// writeLines writes a list to b, so many of its elements a line.
func writeLines[T any](b *bytes.Buffer, list []T, perLine int, write func(T)) {
	for i, e := range list {
		write(e)
		b.WriteByte(',')
		if i%perLine == perLine-1 || i == len(list)-1 {
			b.WriteByte('\n')
		}
	}
}

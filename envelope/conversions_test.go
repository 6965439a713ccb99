package envelope

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"path/filepath"
	"strings"
	"testing"
)

// testdata/envelopes/conversions.txt has a row for each run and each vector: how many
// bytes its envelope has in each format, a checksum of them, and how many members
// are lost. UPDATE=1 writes it anew; TestConvertLosses and TestConvertVectors say
// what has to hold of all of them.
func TestConversions(t *testing.T) {
	var b bytes.Buffer
	cell := func(out []byte, lost []Loss, err error) {
		if err != nil {
			b.WriteString("  -")
			return
		}
		fmt.Fprintf(&b, "  %d:%04x", len(out), crc32.ChecksumIEEE(out)&0xffff)
		if len(lost) > 0 {
			fmt.Fprintf(&b, "-%d", len(lost))
		}
	}
	encode := func(name string, r *Result, o EncodeOptions) {
		b.WriteString(row(name))
		for _, to := range Formats() {
			out, err := Encode(to, r, o)
			cell(out, nil, err)
		}
		b.WriteByte('\n')
	}
	for _, c := range testCases(t) {
		encode(c.name, c.result, c.opt)
		encode(c.name+"+output", c.result, EncodeOptions{IncludeOutput: IncludeAlways, IncludeEvents: true})
		encode(c.name+"+lean", c.result, EncodeOptions{Detail: DetailLean})
		encode(c.name+"+budget", c.result, EncodeOptions{Budget: 2500, Layout: LayoutPretty})
	}
	for pick := range uint8(64) { // runs and answers about jobs of every kind, of no sense
		made := fuzzRecord([]byte(`{"event":"made","n":1}`+"\n"+`{"event":"made","n":2}`), "well", 1_700_000_000, pick)
		encode(fmt.Sprintf("made-%d", pick), made, EncodeOptions{IncludeEvents: pick%3 == 0})
	}
	for _, from := range Dialects() {
		b.WriteString("\n" + from.Name() + "\n")
		for _, v := range readVectors(t, from) {
			if !v.Valid {
				continue
			}
			b.WriteString(row(v.Name))
			for _, to := range Formats() {
				cell(Convert(from, to, v.doc(t), EncodeOptions{}))
			}
			b.WriteByte('\n')
		}
	}
	compareGolden(t, filepath.Join("..", "testdata", "envelopes", "conversions.txt"), b.Bytes())
}

// row returns a name as the first column of a row.
func row(name string) string { return fmt.Sprintf("%-30s", strings.ReplaceAll(name, " ", "-")) }

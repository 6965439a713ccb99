package main

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/envwrap/envwrap/redact"
)

// textOptions say how ordinary text is scored.
type textOptions struct {
	samples int     // masks that are shown
	seed    uint64  // by which they are chosen
	only    string  // the kind of files that is read, all if it is empty
	ceiling float64 // most masks a MB of any kind of which there is a MB; above 0, a lock file has none
}

// A kindTally counts the files of a kind, their bytes and their masks.
type kindTally struct{ files, bytes, masks int }

// perMB returns the masks in a million bytes.
func (t kindTally) perMB() float64 { return float64(t.masks) / (float64(t.bytes) / 1e6) }

// minCounted is the least number of bytes of a kind to which the ceiling applies.
const minCounted = 1 << 20

// scoreText counts the masks in the files below dirs, by kind of file, and shows a random
// sample of them with the text around.
func scoreText(out io.Writer, dirs []string, o textOptions) (err error) {
	w := bufio.NewWriter(out)
	defer func() { err = cmp.Or(err, w.Flush()) }()
	r := redact.New(redact.Options{})
	kinds := map[string]kindTally{}
	var sample []string
	rnd, seen := rand.New(rand.NewPCG(o.seed, 1)), 0
	err = eachText(dirs, func(name string, text []byte) {
		kind := kindOf(name, text)
		if o.only != "" && kind != o.only {
			return
		}
		got, counts := r.Bytes(text)
		n := 0
		for _, c := range counts {
			n += c
		}
		for _, k := range []string{kind, "total"} {
			t := kinds[k]
			kinds[k] = kindTally{t.files + 1, t.bytes + len(text), t.masks + n}
		}
		if n == 0 || o.samples == 0 {
			return
		}
		for _, m := range masked(text, got) {
			m = fmt.Sprintf("%s %s %v\n\t%s", kind, name, counts, m)
			if seen++; len(sample) < o.samples {
				sample = append(sample, m)
			} else if i := rnd.IntN(seen); i < o.samples {
				sample[i] = m
			}
		}
	})
	for _, s := range sample {
		fmt.Fprintln(w, s)
	}
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		t := kinds[k]
		fmt.Fprintf(w, "text %-12s %7d files %8.2f MB %6d masks %8.2f/MB\n", k, t.files, float64(t.bytes)/1e6, t.masks, t.perMB())
		if o.ceiling > 0 && k == "lock" && t.masks > 0 {
			err = errors.Join(err, fmt.Errorf("lock files have %d masks, want none", t.masks))
		}
		if o.ceiling > 0 && t.bytes >= minCounted && t.perMB() > o.ceiling {
			err = errors.Join(err, fmt.Errorf("%s has %.2f masks a MB, want at most %.2f", k, t.perMB(), o.ceiling))
		}
	}
	if len(kinds) == 0 {
		err = cmp.Or(err, fmt.Errorf("no text below %s", strings.Join(dirs, ", ")))
	}
	return err
}

// maxText is the greatest length of a file that is read.
const maxText = 16 << 20

// eachText calls f for the files below dirs that are text.
func eachText(dirs []string, f func(name string, text []byte)) error {
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			if i, err := d.Info(); err != nil || i.Size() > maxText {
				return err
			}
			text, err := os.ReadFile(path)
			if err == nil && len(text) > 0 && bytes.IndexByte(text[:min(len(text), 8<<10)], 0) < 0 && utf8.Valid(text) {
				f(path, text)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// lineOfMinified is the mean length of a line from which a program is minified.
const lineOfMinified = 300

// kindOf returns the kind of a file: what it is for, or the language it is in.
func kindOf(name string, text []byte) string {
	base, ext := strings.ToLower(filepath.Base(name)), strings.ToLower(filepath.Ext(name))
	for _, k := range kindNames {
		if slices.Contains(k.names, base) || slices.Contains(k.extensions, ext) {
			if k.kind == "js" && (strings.Contains(base, ".min.") || len(text)/(1+bytes.Count(text, []byte("\n"))) > lineOfMinified) {
				return "minified"
			}
			return k.kind
		}
	}
	if base == "readme" || base == "changelog" || strings.Contains(name, "/doc/") {
		return "doc"
	}
	return "other"
}

// kindNames are the kinds of files by their names or extensions; the first row that has
// one counts.
var kindNames = []struct {
	kind              string
	names, extensions []string
}{
	{"lock", []string{"go.sum", "package-lock.json", "pnpm-lock.yaml", "npm-shrinkwrap.json", ".package-lock.json"}, []string{".lock"}},
	{"manifest", []string{"go.mod", "package.json", "cargo.toml", "composer.json", "pyproject.toml", "pom.xml", "metadata", "pkg-info", "control", "gemfile"}, []string{".gemspec", ".csproj"}},
	{"go", nil, []string{".go"}},
	{"js", nil, []string{".js", ".mjs", ".cjs"}},
	{"typescript", nil, []string{".ts", ".tsx", ".mts", ".cts", ".jsx", ".vue"}},
	{"python", nil, []string{".py", ".pyi"}},
	{"ruby", nil, []string{".rb", ".erb", ".rake"}},
	{"php", nil, []string{".php", ".inc"}},
	{"perl", nil, []string{".pl", ".pm", ".t"}},
	{"java", nil, []string{".java", ".kt", ".scala", ".groovy"}},
	{"c", nil, []string{".c", ".h", ".cc", ".cpp", ".hpp", ".cxx"}},
	{"c#", nil, []string{".cs", ".fs"}},
	{"rust", nil, []string{".rs"}},
	{"lua", nil, []string{".lua", ".nse"}},
	{"shell", []string{"dockerfile", "makefile"}, []string{".sh", ".bash", ".mk", ".ps1"}},
	{"sql", nil, []string{".sql"}},
	{"css", nil, []string{".css", ".scss", ".less"}},
	{"source map", nil, []string{".map"}},
	{"html", nil, []string{".html", ".htm", ".tmpl", ".xhtml"}},
	{"json", nil, []string{".json", ".jsonl", ".ndjson"}},
	{"yaml", nil, []string{".yaml", ".yml"}},
	{"toml", nil, []string{".toml", ".ini", ".cfg", ".conf", ".properties", ".env"}},
	{"xml", nil, []string{".xml", ".svg", ".xsd", ".xsl"}},
	{"terraform", nil, []string{".tf", ".hcl", ".tfvars"}},
	{"csv", nil, []string{".csv", ".tsv"}},
	{"translation", nil, []string{".po", ".pot", ".xlf", ".strings"}},
	{"log", nil, []string{".log", ".out"}},
	{"markdown", nil, []string{".md", ".rst", ".adoc", ".mdx"}},
	{"manual", nil, []string{".1", ".2", ".3", ".4", ".5", ".6", ".7", ".8", ".1ssl", ".3pm", ".3ssl"}},
	{"prose", nil, []string{".txt", ".text"}},
	{"test data", nil, []string{".txtar", ".golden", ".snap", ".data"}},
}

// shown is how much of the text is shown on either side of a mask.
const shown = 100

// masked returns the parts of text that were masked in got, each in brackets with the text
// of its line around.
func masked(text, got []byte) []string {
	var out []string
	if bytes.Contains(text, []byte(redact.Mask)) {
		return nil // no telling which masks are the text's own
	}
	between := bytes.Split(got, []byte(redact.Mask))
	at := len(between[0])
	if !bytes.HasPrefix(text, between[0]) {
		return nil
	}
	for _, next := range between[1:] {
		n := len(text) - at
		if len(next) > 0 {
			if n = bytes.Index(text[min(at+1, len(text)):], next[:min(len(next), 64)]) + 1; n <= 0 {
				return out // a mask with quotes, or a line that was left out
			}
		}
		if secret := text[at : at+n]; string(secret) != redact.Mask {
			before, after := text[max(0, at-shown):at], text[at+n:min(len(text), at+n+shown)]
			before = before[bytes.LastIndexByte(before, '\n')+1:]
			if i := bytes.IndexByte(after, '\n'); i >= 0 {
				after = after[:i]
			}
			out = append(out, fmt.Sprintf("%s⟦%s⟧%s", before, secret[:min(len(secret), shown)], after))
		}
		at += n + len(next)
	}
	return out
}

package main

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const redactPath = "github.com/envwrap/envwrap/redact"

// A site is a number that something is compared with, a condition, or an entry of a
// list.
type site struct {
	place, text, of string // of is the expression that a number is in
	number          bool
}

// An edit puts a text at a place of a file.
type edit struct {
	at   int
	text string
}

// changes returns what is tried at a site: a number less by one and greater by one, or no
// condition.
func (s site) changes() []int {
	if s.number {
		return []int{-1, 1}
	}
	return []int{0}
}

func (s site) changed(by int) string {
	if s.number {
		return fmt.Sprintf("%s: %s%+d in %s", s.place, s.text, by, s.of)
	}
	return fmt.Sprintf("%s: without %s", s.place, s.text)
}

// chooser is a file that is put beside those with the changes. ABLATE has the number
// of a site and by how much it changes.
const chooser = `package redact

import (
	"fmt"
	"os"
)

var ablatedSite, ablatedBy = func() (site, by int) {
	site = -1
	fmt.Sscanf(os.Getenv("ABLATE"), "%d:%d", &site, &by)
	return
}()

func ablatedNumber(site, n int) int {
	if site == ablatedSite {
		return n + ablatedBy
	}
	return n
}

func ablatedCondition(site int) bool { return site == ablatedSite }

func ablatedList[S ~[]E, E any](first int, list S) S {
	if i := ablatedSite - first; ablatedSite >= first && i < len(list) {
		return append(append(S{}, list[:i]...), list[i+1:]...)
	}
	return list
}
`

// instrument returns the sites of files of the package in dir, and these files with a
// choice at each site.
func instrument(dir string, all, names []string) ([]site, map[string][]byte, error) {
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range all {
		f, err := parser.ParseFile(set, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, f)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Importer: importer.ForCompiler(set, "source", nil)}
	if _, err := conf.Check(redactPath, set, files, info); err != nil {
		return nil, nil, err
	}
	var sites []site
	changed := map[string][]byte{}
	for i, name := range all {
		if !slices.Contains(names, name) {
			continue
		}
		source, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, nil, err
		}
		f := finder{files: set, info: info, source: source, sites: sites}
		for _, d := range files[i].Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				ast.Inspect(d, f.visit)
			case *ast.GenDecl:
				ast.Inspect(d, f.visitTable)
			}
		}
		sites, changed[name] = f.sites, f.edited()
	}
	return sites, changed, nil
}

// A finder finds the sites of a file.
type finder struct {
	files  *token.FileSet
	info   *types.Info
	source []byte
	sites  []site
	edits  []edit
}

// visit notes the sites that n is the parent of.
func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		switch n.Op {
		case token.LAND, token.LOR:
			f.condition(n.X, n.Op == token.LAND)
			f.condition(n.Y, n.Op == token.LAND)
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
			f.numbers(n, n.X, n.Y)
		}
	case *ast.CallExpr:
		f.numbers(n, n.Args...)
	case *ast.IfStmt:
		f.condition(n.Cond, false)
	case *ast.SwitchStmt:
		if n.Tag != nil {
			break
		}
		for _, c := range n.Body.List {
			for _, e := range c.(*ast.CaseClause).List {
				f.condition(e, false)
			}
		}
	case *ast.IndexExpr, *ast.SliceExpr:
		return false // a place, and no measure
	}
	return true
}

// visitTable notes the entries of lists, and the numbers in them.
func (f *finder) visitTable(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		ast.Inspect(n.Body, f.visit)
		return false
	case *ast.KeyValueExpr:
		if _, ok := n.Value.(*ast.BasicLit); ok {
			f.numbers(n, n.Value)
		}
	case *ast.CompositeLit:
		f.list(n)
	}
	return true
}

// list notes the entries of a list, each of which a site leaves out.
func (f *finder) list(l *ast.CompositeLit) {
	switch f.info.Types[l].Type.Underlying().(type) {
	case *types.Slice, *types.Array:
	default:
		return
	}
	if len(l.Elts) == 0 {
		return
	}
	if _, keyed := l.Elts[0].(*ast.KeyValueExpr); keyed {
		return
	}
	first := len(f.sites)
	for _, e := range l.Elts {
		f.sites = append(f.sites, site{place: f.place(e), text: strings.Join(strings.Fields(f.text(e)), " ")})
	}
	f.edits = append(f.edits, edit{f.files.Position(l.Pos()).Offset, fmt.Sprintf("ablatedList(%d, ", first)}, edit{f.files.Position(l.End()).Offset, ")"})
	if a, ok := l.Type.(*ast.ArrayType); ok && a.Len != nil {
		at := f.files.Position(a.Len.Pos()).Offset
		f.edits = append(f.edits, edit{at, "/*"}, edit{at + len("..."), "*/"}) // a slice then
	}
}

// condition notes e, which a site leaves out as if it was the neutral one.
func (f *finder) condition(e ast.Expr, neutral bool) {
	if b, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
		return // its parts are sites
	}
	before := "(!ablatedCondition(%d) && ("
	if neutral {
		before = "(ablatedCondition(%d) || ("
	}
	f.note(e, fmt.Sprintf(before, len(f.sites)), "))", site{})
}

// numbers notes the numbers in expressions that are parts of the whole.
func (f *finder) numbers(whole ast.Node, parts ...ast.Expr) {
	for _, e := range parts {
		switch e := e.(type) {
		case *ast.BasicLit:
			if t, ok := f.info.Types[e].Type.(*types.Basic); ok && e.Kind == token.INT && t.Kind() == types.Int && e.Value != "0" {
				f.note(e, fmt.Sprintf("ablatedNumber(%d, ", len(f.sites)), ")", site{number: true, of: f.text(whole)})
			}
		case *ast.BinaryExpr:
			f.numbers(whole, e.X, e.Y)
		case *ast.ParenExpr:
			f.numbers(whole, e.X)
		}
	}
}

// note adds a site, and what is written before and after it.
func (f *finder) note(e ast.Expr, before, after string, s site) {
	from, to := f.files.Position(e.Pos()), f.files.Position(e.End())
	s.place = f.place(e)
	s.text = f.text(e)
	f.sites = append(f.sites, s)
	f.edits = append(f.edits, edit{from.Offset, before}, edit{to.Offset, after})
}

func (f *finder) place(e ast.Expr) string {
	at := f.files.Position(e.Pos())
	return fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)
}

func (f *finder) text(n ast.Node) string {
	return string(f.source[f.files.Position(n.Pos()).Offset:f.files.Position(n.End()).Offset])
}

// edited returns the file with all edits. What ends at a place is written before what
// begins there, which is how they are noted: an expression before its parts.
func (f *finder) edited() []byte {
	slices.SortStableFunc(f.edits, func(a, b edit) int { return a.at - b.at })
	var out []byte
	from := 0
	for _, e := range f.edits {
		out = append(append(out, f.source[from:e.at]...), e.text...)
		from = e.at
	}
	return append(out, f.source[from:]...)
}

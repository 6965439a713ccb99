package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
)

// A mutant is a file with one mistake in it.
type mutant struct {
	path     string
	line     int
	from, to int    // bytes of the file
	old, new string // what they are, and what they become
	source   []byte
}

func (m mutant) String() string {
	return fmt.Sprintf("%s:%d: %s -> %s", filepath.Base(m.path), m.line, m.old, m.new)
}

// overlay writes the changed file, and the file that names it to the compiler.
func (m mutant) overlay(dir string) (string, error) {
	changed := string(m.source[:m.from]) + m.new + string(m.source[m.to:])
	file, list := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{m.path: file}})
	if err != nil {
		return "", err
	}
	return list, os.WriteFile(list, text, 0o600)
}

// turned are operators and their opposites.
var turned = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.GEQ, token.GEQ: token.LSS,
	token.GTR: token.LEQ, token.LEQ: token.GTR,
	token.LAND: token.LOR, token.LOR: token.LAND,
}

// mutants returns every mutant of a file: a comparison, an and or an or turned
// round, a condition that is no comparison negated, a result of type bool
// negated, an error that is not returned.
func mutants(path string) ([]mutant, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var list []mutant
	add := func(from, to token.Pos, text string) {
		at, end := files.Position(from), files.Position(to)
		list = append(list, mutant{path, at.Line, at.Offset, end.Offset, string(source[at.Offset:end.Offset]), text, source})
	}
	negate := func(e ast.Expr) {
		if b, ok := e.(*ast.BinaryExpr); e == nil || ok && turned[b.Op] != 0 {
			return // its operator is turned round
		}
		text := source[files.Position(e.Pos()).Offset:files.Position(e.End()).Offset]
		add(e.Pos(), e.End(), "!("+string(text)+")")
	}
	var results []*ast.FieldList // of the functions about a node
	var stack []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			last := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if functionType(last) != nil {
				results = results[:len(results)-1]
			}
			return true
		}
		stack = append(stack, n)
		if f := functionType(n); f != nil {
			results = append(results, f.Results)
		}
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if to := turned[n.Op]; to != 0 {
				add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), to.String())
			}
		case *ast.IfStmt:
			negate(n.Cond)
		case *ast.ForStmt:
			negate(n.Cond)
		case *ast.ReturnStmt:
			for i, e := range n.Results {
				switch resultType(results[len(results)-1], i) {
				case "bool":
					negate(e)
				case "error":
					if name, ok := e.(*ast.Ident); ok && name.Name != "nil" {
						add(e.Pos(), e.End(), "nil")
					}
				}
			}
		}
		return true
	})
	return list, nil
}

// functionType returns the type of a function that has a body.
func functionType(n ast.Node) *ast.FuncType {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return n.Type
	case *ast.FuncLit:
		return n.Type
	}
	return nil
}

// resultType returns the name of the type of the i-th result, if it has one.
func resultType(results *ast.FieldList, i int) string {
	if results == nil {
		return ""
	}
	for _, f := range results.List {
		if i -= max(1, len(f.Names)); i < 0 {
			name, _ := f.Type.(*ast.Ident)
			if name == nil {
				return ""
			}
			return name.Name
		}
	}
	return ""
}

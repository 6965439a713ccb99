package main

import (
	"go/ast"
	"go/build"
	"go/types"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"honnef.co/go/tools/unused"
)

// ignorable are functions and methods whose error a statement may ignore.
var ignorable = []string{
	// Where such an error means lost data, the code checks it.
	"Close", "close", "Flush", "Remove", "RemoveAll", "Setenv", "Unsetenv",
	// A warning that cannot be printed has nowhere else to go.
	"Print", "Printf", "Println", "Fprint", "Fprintf", "Fprintln",
	// They return nil (strings.Builder, bytes.Buffer, a hash), or the Flush after them
	// returns every error before (bufio.Writer).
	"Write", "WriteByte", "WriteRune", "WriteString",
}

var unchecked = &analysis.Analyzer{
	Name: "errcheck",
	Doc:  "report calls whose error is not looked at, outside of tests",
	Run: func(pass *analysis.Pass) (any, error) {
		each(pass, false, func(n ast.Node) {
			var call *ast.CallExpr
			switch n := n.(type) {
			case *ast.ExprStmt:
				call, _ = n.X.(*ast.CallExpr)
			case *ast.DeferStmt:
				call = n.Call
			case *ast.GoStmt:
				call = n.Call
			}
			if call != nil && lastIsError(pass.TypesInfo.TypeOf(call)) && !slices.Contains(ignorable, called(call)) {
				pass.Reportf(call.Pos(), "the error of %s is not looked at", types.ExprString(call.Fun))
			}
		})
		return nil, nil
	},
}

var unusedCode = &analysis.Analyzer{
	Name:     "unused",
	Doc:      "report what nothing uses",
	Requires: []*analysis.Analyzer{unused.Analyzer.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		// What only another system uses is used.
		if build.Default.GOOS != runtime.GOOS {
			return nil, nil
		}
		result := pass.ResultOf[unused.Analyzer.Analyzer].(unused.Result)
		for _, object := range result.Unused {
			file := pass.Files[slices.IndexFunc(pass.Files, func(f *ast.File) bool {
				return pass.Fset.Position(f.Pos()).Filename == object.Position.Filename
			})]
			pass.Reportf(pass.Fset.File(file.Pos()).LineStart(object.Position.Line), "%s %s is not used", object.Kind, object.Name)
		}
		return nil, nil
	},
}

var sleep = &analysis.Analyzer{
	Name: "sleep",
	Doc:  "report time.Sleep in tests",
	Run: func(pass *analysis.Pass) (any, error) {
		each(pass, true, func(n ast.Node) {
			if id, ok := n.(*ast.Ident); ok {
				if f, ok := pass.TypesInfo.Uses[id].(*types.Func); ok && f.FullName() == "time.Sleep" {
					pass.Reportf(n.Pos(), "wait for an event, not for a time")
				}
			}
		})
		return nil, nil
	},
}

var inits = &analysis.Analyzer{
	Name: "noinit",
	Doc:  "report functions that run at each start",
	Run: func(pass *analysis.Pass) (any, error) {
		each(pass, false, func(n ast.Node) {
			if f, ok := n.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				pass.Reportf(n.Pos(), "start-up is part of the product: no init")
			}
		})
		return nil, nil
	},
}

// wellKnown are methods whose interfaces say what they do.
var wellKnown = []string{"Error", "Read", "String", "Unwrap", "Write"}

// ofExported reports whether f is a function, or a method of an exported type.
func ofExported(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return true
	}
	return ast.IsExported(strings.TrimPrefix(types.ExprString(f.Recv.List[0].Type), "*"))
}

var documented = &analysis.Analyzer{
	Name: "exported",
	Doc:  "report exported functions, methods and types without a comment",
	Run: func(pass *analysis.Pass) (any, error) {
		each(pass, false, func(n ast.Node) {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Name.IsExported() && n.Doc == nil && pass.Pkg.Name() != "main" && ofExported(n) && !slices.Contains(wellKnown, n.Name.Name) {
					pass.Reportf(n.Pos(), "%s has no comment", n.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range n.Specs {
					if t, ok := spec.(*ast.TypeSpec); ok && t.Name.IsExported() && n.Doc == nil && t.Doc == nil {
						pass.Reportf(t.Pos(), "%s has no comment", t.Name.Name)
					}
				}
			}
		})
		return nil, nil
	},
}

const maxStatements = 50

var statements = &analysis.Analyzer{
	Name: "funlen",
	Doc:  "report functions of too many statements",
	Run: func(pass *analysis.Pass) (any, error) {
		each(pass, false, func(n ast.Node) {
			if f, ok := n.(*ast.FuncDecl); ok && f.Body != nil {
				count := 0
				ast.Inspect(f.Body, func(n ast.Node) bool {
					switch n.(type) {
					case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
					case ast.Stmt:
						count++
					}
					return true
				})
				if count > maxStatements {
					pass.Reportf(f.Pos(), "%s has %d statements, more than %d", f.Name.Name, count, maxStatements)
				}
			}
		})
		return nil, nil
	},
}

// each calls f for each node of the files that are tests, or of those that are not.
func each(pass *analysis.Pass, tests bool, f func(ast.Node)) {
	for _, file := range pass.Files {
		if strings.HasSuffix(pass.Fset.Position(file.Pos()).Filename, "_test.go") == tests {
			ast.Inspect(file, func(n ast.Node) bool {
				f(n)
				return true
			})
		}
	}
}

func lastIsError(t types.Type) bool {
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() > 0 {
		t = tuple.At(tuple.Len() - 1).Type()
	}
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

// called returns the name of the function or method in a call.
func called(call *ast.CallExpr) string {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

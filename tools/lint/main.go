// Command lint checks the source more closely than go vet does: vet, staticcheck, the
// modernizers of go fix, and checks.go:
//
//	go -C tools build -o /tmp/lint ./lint && GOOS=windows /tmp/lint ./...
//
// It reads the packages and all that they import from source, in one process: as a tool of
// go vet it would be started for each, after each had been compiled for that system.
//
// A line that is right in spite of a finding has a comment with the first word of the
// finding and the reason:
//
//	return nil //nolint:nilerr // without a limit there is nothing to report
//
// Before the package clause such a comment is for the whole file.
package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/charithe/durationcheck"
	"github.com/curioswitch/go-reassign"
	"github.com/gostaticanalysis/nilerr"
	"github.com/polyfloyd/go-errorlint/errorlint"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/passes/atomicalign"
	"golang.org/x/tools/go/analysis/passes/deepequalerrors"
	"golang.org/x/tools/go/analysis/passes/modernize"
	"golang.org/x/tools/go/analysis/passes/nilness"
	"golang.org/x/tools/go/analysis/passes/printf"
	"golang.org/x/tools/go/analysis/passes/reflectvaluecompare"
	"golang.org/x/tools/go/analysis/passes/sortslice"
	"golang.org/x/tools/go/analysis/passes/unusedwrite"
	"golang.org/x/tools/go/analysis/suite/vet"
	"golang.org/x/tools/go/packages"
	"honnef.co/go/tools/analysis/facts/deprecated"
	"honnef.co/go/tools/analysis/lint"
	"honnef.co/go/tools/simple"
	"honnef.co/go/tools/staticcheck"
	"honnef.co/go/tools/stylecheck"
)

// skipped are checks of staticcheck that do not fit here.
var skipped = []string{
	"ST1005", // errors have a second line, a sentence
	"ST1016", // a type of many files names its receiver by what it is there
}

func main() {
	found, err := check(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "lint:", err)
	}
	if found || err != nil {
		os.Exit(1)
	}
}

// check prints what it finds in the packages, of those that they import in none. For
// another system (GOOS) it looks only at packages with a file that this one has not.
func check(patterns []string) (found bool, err error) {
	initial, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule | packages.NeedForTest,
		Tests:     true,
		ParseFile: parse,
	}, patterns...)
	if err != nil {
		return false, err
	}
	for p := range packages.Postorder(initial) {
		if p.Module == nil || !p.Module.Main {
			p.Errors = slices.DeleteFunc(p.Errors, func(err packages.Error) bool { return err.Kind == packages.TypeError })
		}
		p.IllTyped = len(p.Errors) > 0
	}
	if len(initial) == 0 {
		return false, errors.New("no package")
	}
	if packages.PrintErrors(initial) > 0 {
		return true, nil
	}
	withTests := map[string]bool{}
	for _, p := range initial {
		if p.ForTest == p.PkgPath {
			withTests[p.PkgPath] = true
		}
	}
	var checked []*packages.Package
	whole := map[*types.Package]bool{}
	for _, p := range initial {
		// A package with tests is loaded twice, with and without; the main function of tests
		// is nobody's.
		if !(p.ForTest == "" && withTests[p.PkgPath]) && !strings.HasSuffix(p.ID, ".test") && slices.ContainsFunc(p.GoFiles, unseen) {
			checked = append(checked, p)
			whole[p.Types] = true
		}
	}
	analyzers := all()
	factsOnly(analyzers, whole)
	graph, err := checker.Analyze(analyzers, checked, nil)
	if err != nil {
		return false, err
	}
	for action := range graph.All() {
		found = found || action.Err != nil || action.IsRoot && len(action.Diagnostics) > 0
	}
	return found, graph.PrintText(os.Stderr, -1)
}

// parse parses a file. It drops the bodies of functions in dependencies, since checking
// their types would take most of the time and nobody here can correct them. What only a
// body uses, such as an import, is an error then, which check leaves out.
func parse(fset *token.FileSet, name string, source []byte) (*ast.File, error) {
	file, err := parser.ParseFile(fset, name, source, parser.AllErrors|parser.ParseComments)
	if file == nil || ours(name) {
		return file, err
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			f.Body = nil
		}
	}
	return file, err
}

// ours reports whether a file is below the directory that is checked, or was made by the
// go command, for tests.
func ours(name string) bool {
	here, err := os.Getwd()
	return err != nil || strings.HasPrefix(name, here+string(filepath.Separator)) || filepath.Ext(name) != ".go"
}

// unseen reports whether a file is yet to be checked: for this system all are.
func unseen(file string) bool {
	here := build.Default
	here.GOOS = runtime.GOOS
	match, err := here.MatchFile(filepath.Split(file))
	return build.Default.GOOS == runtime.GOOS || err != nil || !match
}

// factsOnly makes the analyzers leave out packages that are not to be checked as a whole,
// but for what others have to know of them. Two analyzers are worth the time: those for
// wrappers of Printf and for deprecated declarations.
func factsOnly(analyzers []*analysis.Analyzer, whole map[*types.Package]bool) {
	worth := closure([]*analysis.Analyzer{printf.Analyzer, deprecated.Analyzer})
	for a := range closure(analyzers) {
		if worth[a] {
			continue
		}
		run := a.Run
		a.Run = func(pass *analysis.Pass) (any, error) {
			switch {
			case whole[pass.Pkg]:
				return run(pass)
			case a.ResultType == nil:
				return nil, nil
			}
			return reflect.Zero(a.ResultType).Interface(), nil
		}
	}
}

// closure returns analyzers and those that they require.
func closure(analyzers []*analysis.Analyzer) map[*analysis.Analyzer]bool {
	all := map[*analysis.Analyzer]bool{}
	for _, a := range analyzers {
		all[a] = true
		maps.Copy(all, closure(a.Requires))
	}
	return all
}

func all() []*analysis.Analyzer {
	errorfs := errorlint.NewAnalyzer()
	if err := errorfs.Flags.Set("errorf", "true"); err != nil {
		panic(err)
	}
	analyzers := slices.Concat(vet.Suite, modernize.Suite, []*analysis.Analyzer{
		atomicalign.Analyzer, deepequalerrors.Analyzer, nilness.Analyzer,
		reflectvaluecompare.Analyzer, sortslice.Analyzer, unusedwrite.Analyzer,
		durationcheck.Analyzer, errorfs, nilerr.Analyzer, reassign.NewAnalyzer(),
		unchecked, unusedCode, documented, sleep, inits, statements,
	})
	for _, suite := range [][]*lint.Analyzer{staticcheck.Analyzers, simple.Analyzers, stylecheck.Analyzers} {
		for _, a := range suite {
			if !slices.Contains(skipped, a.Analyzer.Name) {
				analyzers = append(analyzers, a.Analyzer)
			}
		}
	}
	for _, a := range analyzers {
		withReasons(a)
	}
	return analyzers
}

// withReasons makes an analyzer leave out what a comment gives a reason for: on the
// line of the finding, or before the package clause for a whole file.
func withReasons(a *analysis.Analyzer) {
	run := a.Run
	a.Run = func(pass *analysis.Pass) (any, error) {
		reasons := map[string]bool{} // lines and files where this analyzer is answered
		for _, file := range pass.Files {
			for _, group := range file.Comments {
				for _, comment := range group.List {
					if !strings.HasPrefix(strings.ToLower(comment.Text), "//nolint:"+strings.ToLower(a.Name)+" // ") {
						continue
					}
					at := pass.Fset.Position(comment.Pos())
					if comment.Pos() < file.Package {
						at.Line = 0
					}
					reasons[line(at)] = true
				}
			}
		}
		report := pass.Report
		pass.Report = func(d analysis.Diagnostic) {
			at := pass.Fset.Position(d.Pos)
			if !reasons[line(at)] && !reasons[line(token.Position{Filename: at.Filename})] {
				d.Message = a.Name + ": " + d.Message
				report(d)
			}
		}
		return run(pass)
	}
}

// line returns a position without its column.
func line(at token.Position) string {
	return fmt.Sprintf("%s:%d", at.Filename, at.Line)
}

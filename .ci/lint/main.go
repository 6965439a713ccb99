// Command lint checks the source more closely than go vet does: staticcheck, the
// modernizers of go fix, and what stands in this file. It is a tool of go vet:
//
//	go -C .ci/lint build -o /tmp/lint . && go vet -vettool=/tmp/lint ./...
//
// What is right as it stands has, on its line, a comment with the first word of the
// finding and the reason:
//
//	return nil //nolint:nilerr // without a limit there is nothing to report
//
// Before the package clause such a comment is for the whole file.
package main

import (
	"encoding/gob"
	"encoding/json"
	"fmt"
	"go/token"
	"os"
	"slices"
	"strings"

	"github.com/charithe/durationcheck"
	"github.com/curioswitch/go-reassign"
	"github.com/gostaticanalysis/nilerr"
	"github.com/polyfloyd/go-errorlint/errorlint"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/atomicalign"
	"golang.org/x/tools/go/analysis/passes/deepequalerrors"
	"golang.org/x/tools/go/analysis/passes/modernize"
	"golang.org/x/tools/go/analysis/passes/nilness"
	"golang.org/x/tools/go/analysis/passes/printf"
	"golang.org/x/tools/go/analysis/passes/reflectvaluecompare"
	"golang.org/x/tools/go/analysis/passes/sortslice"
	"golang.org/x/tools/go/analysis/passes/unusedwrite"
	"golang.org/x/tools/go/analysis/suite/vet"
	"golang.org/x/tools/go/analysis/unitchecker"
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
	if dependency(os.Args[1:]) {
		register(all())
		unitchecker.Main(printf.Analyzer, deprecated.Analyzer)
	}
	unitchecker.Main(all()...)
}

// dependency reports whether go vet asks only for what other packages have to know
// of a package. Two analyzers are worth the time there: wrappers of Printf, and
// what is deprecated.
func dependency(args []string) bool {
	if len(args) == 0 || !strings.HasSuffix(args[len(args)-1], ".cfg") {
		return false
	}
	var config struct{ VetxOnly bool }
	text, err := os.ReadFile(args[len(args)-1])
	return err == nil && json.Unmarshal(text, &config) == nil && config.VetxOnly
}

// register makes the facts of all analyzers known to the decoder. A dependency of
// a dependency has been looked at by all, where it is a package to be checked.
func register(analyzers []*analysis.Analyzer) {
	for _, a := range analyzers {
		for _, fact := range a.FactTypes {
			gob.Register(fact)
		}
		register(a.Requires)
	}
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

// Command layers counts, for each package, the references between its files
// and how many of them go against the order of the files' layers.
//
//	go -C tools run ./layers [DIR...]
//
// A reference is a pair of files of which one uses what the other declares. The
// order is one in which few references go upwards: of the orders that moving one
// file at a time leads to, the best. A package without such references has
// layers: each file can be read with only the files below it in mind. For a package
// that is named, the references against the order are listed.
package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/tools/internal/root"
)

func main() {
	err := root.Enter()
	if err == nil {
		err = report(os.Stdout, os.Args[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "layers:", err)
		os.Exit(1)
	}
}

// report writes a line for each package in the named directories, and what goes against
// the order there; or, without names, the lines of all packages below this directory.
func report(w io.Writer, named []string) error {
	dirs := named
	if len(named) == 0 {
		var err error
		if dirs, err = packages("."); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "%8s %10s %7s  %s\n", "against", "references", "share", "package")
	for _, dir := range dirs {
		refs, err := references(dir)
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		against, all := refs.against()
		if all > 0 {
			fmt.Fprintf(w, "%8d %10d %6.1f%%  %s\n", len(against), all, 100*float64(len(against))/float64(all), dir)
		}
		if len(named) > 0 {
			for _, pair := range against {
				fmt.Fprintln(w, "\t", pair)
			}
		}
	}
	return nil
}

// packages returns the directories below root that hold Go files.
func packages(root string) (dirs []string, err error) {
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata"):
			return fs.SkipDir
		case !entry.IsDir() && isSource(entry.Name()) && !slices.Contains(dirs, filepath.Dir(path)):
			dirs = append(dirs, filepath.Dir(path))
		}
		return nil
	})
	return dirs, err
}

func isSource(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}

// A graph has, for each file, the files whose declarations it uses.
type graph struct {
	files []string
	uses  [][]bool
}

// references reads the files of a package that are built for this system. Imports
// are not followed: what other packages declare is no reference between files.
func references(dir string) (*graph, error) {
	set := token.NewFileSet()
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	g := &graph{}
	var files []*ast.File
	for _, entry := range entries {
		if ok, err := build.Default.MatchFile(dir, entry.Name()); err != nil || !ok || !isSource(entry.Name()) {
			continue
		}
		f, err := parser.ParseFile(set, filepath.Join(dir, entry.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
		g.files = append(g.files, entry.Name())
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	config := types.Config{Importer: noImports{}, Error: func(error) {}}
	_, _ = config.Check(dir, set, files, info) // what imports would tell is missing
	g.uses = make([][]bool, len(g.files))
	for i := range g.uses {
		g.uses[i] = make([]bool, len(g.files))
	}
	for ident, object := range info.Uses {
		from := slices.Index(g.files, filepath.Base(set.Position(ident.Pos()).Filename))
		to := slices.Index(g.files, filepath.Base(set.Position(object.Pos()).Filename))
		if from >= 0 && to >= 0 && from != to {
			g.uses[from][to] = true
		}
	}
	return g, nil
}

// noImports imports nothing.
type noImports struct{}

func (noImports) Import(string) (*types.Package, error) { return nil, errors.New("not imported") }

// against returns the references that go against the best order that was found, and
// how many there are in all.
func (g *graph) against() (pairs []string, all int) {
	order := make([]int, len(g.files))
	for i := range order {
		order[i] = i
		for _, used := range g.uses[i] {
			if used {
				all++
			}
		}
	}
	for moved := true; moved; {
		moved = false
		for at := range order {
			if best := g.bestPlace(order, at); best != at {
				file := order[at]
				order = slices.Insert(slices.Delete(order, at, at+1), best, file)
				moved = true
			}
		}
	}
	for i, file := range order {
		for _, above := range order[i+1:] {
			if g.uses[file][above] {
				pairs = append(pairs, g.files[file]+" uses "+g.files[above])
			}
		}
	}
	return pairs, all
}

// bestPlace returns where in the order the file that is at a place has the
// fewest references to files after it, and from files before it.
func (g *graph) bestPlace(order []int, at int) int {
	file, best, gain := order[at], at, 0
	for _, step := range []int{-1, 1} {
		change := 0
		for place := at + step; place >= 0 && place < len(order); place += step {
			other := order[place]
			up, down := g.uses[file][other], g.uses[other][file]
			if step < 0 {
				up, down = down, up
			}
			// The file passes other: what used it from below now uses it from above.
			if up {
				change++
			}
			if down {
				change--
			}
			if change > gain {
				best, gain = place, change
			}
		}
	}
	return best
}

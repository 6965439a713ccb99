package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/owned"
	"github.com/envwrap/envwrap/internal/term"
)

// shimVerb leads to the verbs that put envwrap in the place of other programs.
func shimVerb(*World) *verb {
	return &verb{
		name:    "shim",
		args:    "VERB",
		summary: "put envwrap in the place of programs on PATH",
		text: `A shim is a link to envwrap that has the name of a program. In a directory at the
head of PATH it runs that program with --emit auto: an agent gets an envelope where
it reads the output itself, everything else gets the program's own bytes.`,
		example: "envwrap shim install git npm\nenvwrap shim list",
		verbs: []row{
			{"install", shimInstallVerb},
			{"list", shimListVerb},
			{"remove", shimRemoveVerb},
		},
	}
}

// shimDirOption is the --dir of the shim verbs.
func shimDirOption(dir *string) *option {
	return &option{
		name: "dir", value: "DIR", def: "$XDG_DATA_HOME/envwrap/shims", noEnv: true,
		help: "the directory of shims", takes: aDir, set: into(dir, text),
	}
}

func shimInstallVerb(*World) *verb {
	var named string
	return &verb{
		name:    "install",
		args:    "NAME...",
		takes:   aProgram,
		summary: "make shims for programs",
		text:    "It prints the shims. Nothing that is no shim is ever replaced.",
		example: `envwrap shim install git npm
export PATH="$HOME/.local/share/envwrap/shims:$PATH"`,
		options: []*option{shimDirOption(&named)},
		run: func(_ context.Context, c *call) error {
			return c.installShims(named, c.args())
		},
	}
}

func (c *call) installShims(named string, programs []string) error {
	if len(programs) == 0 {
		return usagef("a NAME is missing")
	}
	if runtime.GOOS == "windows" {
		return errors.New("install a shim: Windows has no symbolic links for everybody\nUse a function of PowerShell; see docs/shell.md.")
	}
	for _, name := range programs {
		if name != filepath.Base(name) || strings.HasPrefix(name, ".") || name == "envwrap" {
			return badValue(name, "name of a program", "Give a name without a directory, as in `envwrap shim install git`.")
		}
	}
	dir, err := c.shimDir(named)
	if err != nil {
		return err
	}
	target, err := c.shimTarget()
	if err != nil {
		return fmt.Errorf("find envwrap: %w", err)
	}
	place, err := makeShimDir(dir)
	if err != nil {
		return fmt.Errorf("make the directory of shims %q: %w", dir, err)
	}
	defer place.Close()
	self, err := c.self()
	if err != nil {
		return fmt.Errorf("find envwrap: %w", err)
	}
	for _, name := range programs {
		link := filepath.Join(dir, name)
		if _, err := os.Lstat(link); err == nil && !isShim(link, self) {
			return fmt.Errorf("install shim %q: there is something else in its place", link)
		}
	}
	for _, name := range programs {
		if err := c.installShim(place, target, name); err != nil {
			return err
		}
	}
	c.checkPath(dir, programs[0])
	c.checkPrograms(programs, self)
	return nil
}

// checkPrograms warns of shims that have nothing to run.
func (c *call) checkPrograms(programs []string, self fs.FileInfo) {
	path, _ := c.lookup("PATH")
	for _, name := range programs {
		if _, ok := behind(withoutShims(path), name, self); !ok {
			c.complain(fmt.Errorf("there is no program %q on PATH\nThe shim will run it once it is there.", name))
		}
	}
}

// makeShimDir opens the directory of shims, and makes it where it is missing.
func makeShimDir(dir string) (*owned.Dir, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	place, err := owned.OpenShared(dir)
	if err != nil {
		return nil, err
	}
	names, err := place.Names(".")
	if err == nil && len(names) > 0 && !slices.Contains(names, shimMark) {
		err = errors.New("it is in use for something else")
	}
	if err == nil {
		err = place.WriteFile(shimMark, freshShim+"mark", nil, false)
	}
	if err != nil {
		_ = place.Close()
		return nil, err
	}
	return place, nil
}

// freshShim begins the names of what is not yet in its place.
const freshShim = ".new-"

// installShim makes one link. An old one is replaced in one step, so that the
// program is never missing.
func (c *call) installShim(place *owned.Dir, target, name string) error {
	link, fresh := filepath.Join(place.Name(), name), freshShim+name
	_ = place.Remove(fresh) // of an install that was killed
	err := place.Symlink(target, fresh)
	if err == nil {
		err = place.Rename(fresh, name)
	}
	if err != nil {
		return fmt.Errorf("install shim %q: %w", link, cause(err))
	}
	return c.print(link + "\n")
}

// checkPath says on stderr what is still to be done for a shim to be found.
func (c *call) checkPath(dir, name string) {
	path, _ := c.lookup("PATH")
	for _, d := range filepath.SplitList(path) {
		if sameDir(d, dir) {
			return
		}
		if _, err := os.Stat(filepath.Join(d, name)); err == nil {
			break
		}
	}
	c.complain(fmt.Errorf("the shims are not found yet\nPut their directory at the head of PATH: export PATH=%s:\"$PATH\"", shellQuote(dir)))
}

func sameDir(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// A shim is a link in the directory of shims.
type shim struct {
	Name    string `json:"name"`
	Link    string `json:"link"`
	Program string `json:"program,omitempty"` // what it runs; absent where there is none
}

// shims are the links of a directory, by name; none where there is no such
// directory.
func (w *World) shims(dir string) ([]shim, error) {
	if !isShimDir(dir) {
		return []shim{}, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list shims: %w", err)
	}
	self, err := w.self()
	if err != nil {
		return nil, fmt.Errorf("list shims: %w", err)
	}
	path, _ := w.lookup("PATH")
	path = withoutShims(path)
	list := []shim{}
	for _, e := range entries {
		link := filepath.Join(dir, e.Name())
		if !strings.HasPrefix(e.Name(), ".") && isShim(link, self) {
			program, _ := behind(path, e.Name(), self)
			list = append(list, shim{e.Name(), link, program})
		}
	}
	return list, nil
}

func shimListVerb(*World) *verb {
	var named string
	var asJSON bool
	return &verb{
		name:    "list",
		summary: "list shims and the programs that they run",
		example: "envwrap shim list",
		options: []*option{shimDirOption(&named), jsonOption(&asJSON)},
		run: func(_ context.Context, c *call) error {
			if err := c.noWords(); err != nil {
				return err
			}
			dir, err := c.shimDir(named)
			if err != nil {
				return err
			}
			list, err := c.shims(dir)
			if err != nil {
				return err
			}
			doc := struct {
				Dir   string `json:"dir"`
				Shims []shim `json:"shims"`
			}{dir, list}
			return c.answer(asJSON, doc, func(b *strings.Builder) {
				t := &term.Table{Columns: []term.Column{{Name: "SHIM", Fit: term.Clipped, Least: 8}, {Name: "RUNS", Fit: term.Folded, Least: 10}}}
				for _, s := range list {
					t.Add(visible(s.Name), visible(cmp.Or(s.Program, "no such program")))
				}
				t.Write(b, c.screen())
			})
		},
	}
}

func shimRemoveVerb(*World) *verb {
	var named string
	return &verb{
		name:    "remove",
		args:    "NAME...",
		takes:   aShim,
		summary: "remove shims",
		example: "envwrap shim remove git",
		options: []*option{shimDirOption(&named)},
		run: func(_ context.Context, c *call) error {
			if len(c.args()) == 0 {
				return usagef("a NAME is missing")
			}
			return c.removeShims(named, c.args())
		},
	}
}

func (c *call) removeShims(named string, programs []string) error {
	dir, err := c.shimDir(named)
	if err != nil {
		return err
	}
	list, err := c.shims(dir)
	if err != nil {
		return err
	}
	for _, name := range programs {
		if !slices.ContainsFunc(list, func(s shim) bool { return s.Name == name }) {
			return fmt.Errorf("remove shim %q: there is none in %q", name, dir)
		}
	}
	place, err := owned.OpenShared(dir)
	if err != nil {
		return fmt.Errorf("remove shims from %q: %w", dir, err)
	}
	defer place.Close()
	for _, name := range programs {
		if err := place.Remove(name); err != nil {
			return fmt.Errorf("remove shim: %w", err)
		}
	}
	return nil
}

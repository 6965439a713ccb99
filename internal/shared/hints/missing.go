// Package hints explains what to do about a program that was not found: how to install
// it, which program was possibly meant, where it is in the project, or that it is a
// builtin of the shell.
//
// It reads nothing of the machine except through a [Place]. Its table is embedded as
// text and not parsed at start.
package hints

import (
	"fmt"
	"path/filepath"
	"strings"
)

// A SearchPath holds the directories in which a program was looked for. With the zero
// value, hints come from the table only.
type SearchPath struct {
	Path []string // directories of PATH, in order
	Dir  string   // the working directory, absolute
	Root string   // the project's directory, Dir or a parent of it; "" is Dir
	Home string   // the user's home; "" is unknown

	// Programs returns the names of the programs in a directory, nil if it cannot be
	// read.
	Programs func(dir string) []string
	// Executable reports whether path is a program that could be run.
	Executable func(path string) bool
}

// Missing returns what to do about a program that was not found on PATH: one or more
// sentences on one line, and the names of programs that may have been meant, the
// likeliest first.
func Missing(name string, p SearchPath) (hint string, meant []string) {
	if text := shellWord(name); text != "" {
		return text, nil
	}
	if path := p.inUsualDirs(name); path != "" {
		return fmt.Sprintf("%q is not on PATH, but there is %s: name it so.", name, path), []string{path}
	}
	meant = p.meant(name)
	var sentences []string
	if commands := Install(name); commands != "" {
		sentences = append(sentences, "Install it: "+commands+".")
	} else {
		sentences = append(sentences, fmt.Sprintf("No program named %q on PATH.", name))
	}
	switch {
	case len(meant) > 0:
		sentences = append(sentences, "Did you mean "+orList(meant)+"?")
	case Install(name) == "":
		sentences = append(sentences, "Check its spelling, install it, or add its directory to PATH.")
	}
	return strings.Join(sentences, " "), meant
}

// meant returns programs on PATH: first those that are known to do as well,
// then those whose names are close.
func (p *SearchPath) meant(name string) []string {
	var found []string
	for _, other := range alternatives(name) {
		if p.onPath(other) {
			found = append(found, other)
		}
	}
	if len(found) > 0 {
		return found
	}
	return similarNames(name, p.each)
}

func (p *SearchPath) onPath(name string) bool {
	for _, dir := range p.Path {
		if p.executable(filepath.Join(dir, name)) {
			return true
		}
	}
	return false
}

// each calls yield for every program on PATH, some of them more than once.
func (p *SearchPath) each(yield func(string) bool) {
	if p.Programs == nil {
		return
	}
	for _, dir := range p.Path {
		for _, name := range p.Programs(dir) {
			if !yield(name) {
				return
			}
		}
	}
}

func (p *SearchPath) executable(path string) bool {
	return p.Executable != nil && p.Executable(path)
}

// orList returns "a", "a or b", "a, b or c".
func orList(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Where a project keeps programs that are not on PATH, below each directory
// from the working directory up to the project's root.
var projectDirs = [...]string{
	".", "node_modules/.bin", ".venv/bin", "venv/bin", ".venv/Scripts", "venv/Scripts",
	"vendor/bin", "bin", "scripts", "tools", "target/release", "target/debug",
}

// Where a user's package managers put them, below the home directory.
var homeDirs = [...]string{
	"go/bin", ".cargo/bin", ".local/bin", "bin", ".npm-global/bin", ".bun/bin", ".deno/bin",
	".local/share/mise/shims", ".asdf/shims", ".rbenv/shims", ".pyenv/shims", ".volta/bin",
}

// Where systems put them, while a daemon's or a container's PATH lacks it.
var systemDirs = [...]string{
	"/usr/local/bin", "/usr/local/sbin", "/usr/sbin", "/sbin", "/opt/homebrew/bin", "/snap/bin", "/usr/local/go/bin",
}

// maxLevels bounds the way from the working directory to the project's root.
const maxLevels = 16

// inUsualDirs returns the path of the program name in a directory that often has programs
// and may not be on PATH, or "". The path is relative to the working directory if the
// program is below it, else absolute.
func (p *SearchPath) inUsualDirs(name string) string {
	if strings.ContainsAny(name, `/\`) || name == "." || name == ".." {
		return ""
	}
	for _, dir := range p.levels() {
		for _, sub := range projectDirs {
			if path := filepath.Join(dir, sub, name); p.executable(path) {
				return p.spell(path)
			}
		}
	}
	if p.Home != "" {
		for _, sub := range homeDirs {
			if path := filepath.Join(p.Home, sub, name); p.executable(path) {
				return path
			}
		}
	}
	for _, sub := range systemDirs {
		if path := filepath.Join(sub, name); p.executable(path) {
			return path
		}
	}
	return ""
}

// levels returns the directories from the working directory up to the root.
func (p *SearchPath) levels() []string {
	if p.Dir == "" {
		return nil
	}
	levels := []string{p.Dir}
	if !below(p.Dir, p.Root) {
		return levels
	}
	for dir := p.Dir; dir != p.Root && len(levels) < maxLevels; {
		dir = filepath.Dir(dir)
		levels = append(levels, dir)
	}
	return levels
}

// below reports whether dir is below root.
func below(dir, root string) bool {
	return root != "" && strings.HasPrefix(dir, strings.TrimSuffix(root, string(filepath.Separator))+string(filepath.Separator))
}

func (p *SearchPath) spell(path string) string {
	rel, err := filepath.Rel(p.Dir, path)
	if err != nil || strings.HasPrefix(rel, "..") {
		return path
	}
	return "." + string(filepath.Separator) + rel
}

package hints

import (
	"path/filepath"
	"strings"
)

// Where a project keeps programs that are not on PATH, below each directory
// from the working directory up to the project's root.
var projectPlaces = [...]string{
	".", "node_modules/.bin", ".venv/bin", "venv/bin", ".venv/Scripts", "venv/Scripts",
	"vendor/bin", "bin", "scripts", "tools", "target/release", "target/debug",
}

// Where a user's package managers put them, below the home directory.
var homePlaces = [...]string{
	"go/bin", ".cargo/bin", ".local/bin", "bin", ".npm-global/bin", ".bun/bin", ".deno/bin",
	".local/share/mise/shims", ".asdf/shims", ".rbenv/shims", ".pyenv/shims", ".volta/bin",
}

// Where systems put them, while a daemon's or a container's PATH lacks it.
var systemPlaces = [...]string{
	"/usr/local/bin", "/usr/local/sbin", "/usr/sbin", "/sbin", "/opt/homebrew/bin", "/snap/bin", "/usr/local/go/bin",
}

// maxLevels bounds the way from the working directory to the project's root.
const maxLevels = 16

// nearby returns the path of the program name in a place where programs often
// are without being on PATH, or "": relative to the working directory where
// the program is below it, else absolute.
func (p *Place) nearby(name string) string {
	if strings.ContainsAny(name, `/\`) || name == "." || name == ".." {
		return ""
	}
	for _, dir := range p.levels() {
		for _, place := range projectPlaces {
			if path := filepath.Join(dir, place, name); p.executable(path) {
				return p.spell(path)
			}
		}
	}
	if p.Home != "" {
		for _, place := range homePlaces {
			if path := filepath.Join(p.Home, place, name); p.executable(path) {
				return path
			}
		}
	}
	for _, place := range systemPlaces {
		if path := filepath.Join(place, name); p.executable(path) {
			return path
		}
	}
	return ""
}

// levels are the directories from the working directory up to the root.
func (p *Place) levels() []string {
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

func (p *Place) spell(path string) string {
	rel, err := filepath.Rel(p.Dir, path)
	if err != nil || strings.HasPrefix(rel, "..") {
		return path
	}
	return "." + string(filepath.Separator) + rel
}

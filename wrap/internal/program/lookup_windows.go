package program

import (
	"io/fs"
	"path/filepath"
	"strings"
)

func hasSeparator(name string) bool { return strings.ContainsAny(name, `/\:`) }

// sameName: names of environment variables have no case on Windows.
func sameName(a, b string) bool { return strings.EqualFold(a, b) }

// executableNames returns the files that name may mean: itself where it has
// an extension of PATHEXT, else with each of them.
func executableNames(name string, env []string) []string {
	list, ok := Getenv(env, "PATHEXT")
	if !ok || list == "" {
		list = ".COM;.EXE;.BAT;.CMD"
	}
	var names []string
	for ext := range strings.SplitSeq(list, ";") {
		if ext == "" {
			continue
		}
		if strings.EqualFold(filepath.Ext(name), ext) {
			return []string{name}
		}
		names = append(names, name+strings.ToLower(ext))
	}
	return names
}

// accessible is always nil: Windows has no execute bit.
func accessible(string, fs.FileInfo) error { return nil }

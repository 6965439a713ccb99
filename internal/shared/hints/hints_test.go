package hints

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestInstall(t *testing.T) {
	for name, want := range map[string]string{
		"rg":        "apt-get install ripgrep, brew install ripgrep, cargo install ripgrep",
		"terraform": "brew install terraform",
		"eslint":    "apt-get install eslint, brew install eslint, npm install -g eslint",
		"black":     "apt-get install black, brew install black, pip install black",
		"gopls":     "apt-get install gopls, brew install gopls, go install golang.org/x/tools/gopls@latest",
		"psql":      "apt-get install postgresql-client, brew install libpq",
		"strace":    "apt-get install strace",
		"nosuch":    "",
		"":          "",
		"7z,7za":    "",
		"ripgrep":   "",
	} {
		if got := Install(name); got != want {
			t.Errorf("Install(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestInstallTable(t *testing.T) {
	seen := map[string]bool{}
	byColumn := make([]int, columns)
	for line := range strings.Lines(table) {
		line = strings.TrimSuffix(line, "\n")
		cells := strings.Split(line, "|")
		if len(cells) != columns {
			t.Fatalf("%d columns, want %d: %q", len(cells), columns, line)
		}
		for name := range strings.SplitSeq(cells[0], ",") {
			if name == "" || seen[name] {
				t.Errorf("%q is empty or there twice", name)
			}
			seen[name] = true
			if Install(name) == "" {
				t.Errorf("%q: nothing installs it", name)
			}
		}
		for i, cell := range cells {
			if cell != strings.TrimSpace(cell) || strings.Contains(cell, "@latest") {
				t.Errorf("%q: column %d is %q", cells[0], i, cell)
			}
			if cell != "" {
				byColumn[i]++
			}
		}
		if pkg := cells[5]; pkg != "" && !strings.Contains(pkg, ".") {
			t.Errorf("%q: %q is no module path", cells[0], pkg)
		}
	}
	if len(seen) < 400 {
		t.Errorf("only %d programs", len(seen))
	}
	for i, n := range byColumn {
		if n < 20 {
			t.Errorf("column %d has %d entries", i, n)
		}
	}
}

// machine is a Place with these programs, by their slash-separated paths.
func machine(dir, root string, programs ...string) SearchPath {
	return SearchPath{
		Path: []string{"/usr/bin", "/bin"},
		Dir:  dir, Root: root, Home: "/home/u",
		Programs: func(dir string) []string {
			var names []string
			for _, p := range programs {
				if path.Dir(p) == dir {
					names = append(names, path.Base(p))
				}
			}
			return names
		},
		Executable: func(p string) bool { return slices.Contains(programs, filepath.ToSlash(p)) },
	}
}

func TestMissing(t *testing.T) {
	box := machine("/w/app/sub", "/w/app",
		"/usr/bin/git", "/usr/bin/grep", "/bin/gtk", "/usr/bin/python3", "/usr/bin/fdfind", "/usr/bin/xx", "/bin/git",
		"/w/app/node_modules/.bin/eslint", "/w/app/sub/run.sh", "/w/app/.venv/bin/black", "/w/secret",
		"/home/u/.cargo/bin/just", "/usr/sbin/fdisk")
	for _, c := range []struct {
		name, hint string
		meant      string
	}{
		{"gti", `No program named "gti" on PATH. Did you mean git?`, "git"},
		{"gerp", `No program named "gerp" on PATH. Did you mean grep?`, "grep"},
		{"terraform", `Install it: brew install terraform.`, ""},
		{"python", `Install it: apt-get install python3, brew install python. Did you mean python3?`, "python3"},
		{"fd", `Install it: apt-get install fd-find, brew install fd, cargo install fd-find. Did you mean fdfind?`, "fdfind"},
		{"frobnicate", `No program named "frobnicate" on PATH. Check its spelling, install it, or add its directory to PATH.`, ""},
		{"yx", `No program named "yx" on PATH. Check its spelling, install it, or add its directory to PATH.`, ""},
		{"eslint", `"eslint" is not on PATH, but there is /w/app/node_modules/.bin/eslint: name it so.`, "/w/app/node_modules/.bin/eslint"},
		{"black", `"black" is not on PATH, but there is /w/app/.venv/bin/black: name it so.`, "/w/app/.venv/bin/black"},
		{"run.sh", `"run.sh" is not on PATH, but there is ./run.sh: name it so.`, "./run.sh"},
		{"just", `"just" is not on PATH, but there is /home/u/.cargo/bin/just: name it so.`, "/home/u/.cargo/bin/just"},
		{"fdisk", `"fdisk" is not on PATH, but there is /usr/sbin/fdisk: name it so.`, "/usr/sbin/fdisk"},
		{"secret", `No program named "secret" on PATH. Check its spelling, install it, or add its directory to PATH.`, ""},
		{"cd", `"cd" is a word of the shell, no program: envwrap -- sh -c 'cd ...'`, ""},
		{"source", `"source" is a word of bash, no program: envwrap -- bash -c 'source ...'`, ""},
		{"[[", `"[[" is a word of bash, no program: envwrap -- bash -c '[[ ...'`, ""},
		{"ls -l", `Give the program and its arguments as separate words, or the line to a shell: envwrap -- sh -c 'ls -l'`, ""},
		{"a 'b' | c", `That is a line for a shell: envwrap -- sh -c 'a '\''b'\'' | c'`, ""},
		{"A_1=b", `"A_1=b" sets a variable; envwrap takes it as --env A_1=b, before the --.`, ""},
		{"", `The name of the program is empty; is a variable unset?`, ""},
		{"..", `No program named ".." on PATH. Check its spelling, install it, or add its directory to PATH.`, ""},
		{strings.Repeat("x", 100), `No program named "` + strings.Repeat("x", 100) + `" on PATH. Check its spelling, install it, or add its directory to PATH.`, ""},
	} {
		hint, meant := Missing(c.name, box)
		if filepath.ToSlash(hint) != c.hint || filepath.ToSlash(strings.Join(meant, " ")) != c.meant {
			t.Errorf("%q:\n got %s %q\nwant %s %q", c.name, hint, meant, c.hint, c.meant)
		}
	}
}

// A program that is not on PATH is searched for up to the project's directory.
func TestLevels(t *testing.T) {
	for _, c := range []struct{ dir, root, want string }{
		{"", "/w", ""},
		{"/w/a/b", "", "/w/a/b"},
		{"/w/a/b", "/w/a/b", "/w/a/b"},
		{"/w/a/b", "/w", "/w/a/b /w/a /w"},
		{"/w/a", "/", "/w/a /w /"},
		{"/w/a/b", "/x", "/w/a/b"},
		{"/w/ab", "/w/a", "/w/ab"},
	} {
		p := SearchPath{Dir: filepath.FromSlash(c.dir), Root: filepath.FromSlash(c.root)}
		if got := filepath.ToSlash(strings.Join(p.levels(), " ")); got != c.want {
			t.Errorf("from %q to %q: got %q, want %q", c.dir, c.root, got, c.want)
		}
	}
	deep := SearchPath{Dir: filepath.FromSlash(strings.Repeat("/a", maxLevels+4)), Root: filepath.FromSlash("/a")}
	if n := len(deep.levels()); n != maxLevels {
		t.Errorf("%d levels, want %d", n, maxLevels)
	}
}

// A machine of which nothing is known gets a hint all the same.
func TestMissingKnowsNothing(t *testing.T) {
	for _, name := range []string{"gti", "rg", "cd", "", "a b", "/x/y", `c:\x`, "."} {
		if hint, meant := Missing(name, SearchPath{}); hint == "" || len(meant) > 0 {
			t.Errorf("%q: %q, %q", name, hint, meant)
		}
	}
}

func TestNear(t *testing.T) {
	names := []string{"git", "gitk", "grep", "egrep", "go", "gofmt", "make", "cmake", "node", "npm", "npx", "ls", "ld", "ps", "docker", "dockerd", "kubectl", "python3", "git"}
	for name, want := range map[string]string{
		"gti": "git", "giit": "git", "gitt": "git gitk", "mkae": "make", "maek": "make", "dcoker": "docker", "dokcer": "docker",
		"kubeclt": "kubectl", "kubctl": "kubectl", "python": "python3", "pytohn3": "python3",
		"nmp": "npm", "sl": "", "l": "", "": "", "git": "", "xyz": "", "gofnt": "gofmt", "ndoe": "node",
	} {
		got := strings.Join(similarNames(name, slices.Values(names)), " ")
		if name == "git" && got == "gitk" {
			continue // the name itself is no suggestion
		}
		if got != want {
			t.Errorf("near(%q) = %q, want %q", name, got, want)
		}
	}
}

// A name two letters away begins with the same letter.
func TestNearBeginsTheSame(t *testing.T) {
	names := slices.Values([]string{"terraform", "terrabork", "xexraform"})
	if got := similarNames("terrafxxm", names); !slices.Equal(got, []string{"terraform"}) {
		t.Errorf("got %q", got)
	}
	if got := similarNames("yerraforx", names); got != nil {
		t.Errorf("with another first letter: %q", got)
	}
}

func TestDistance(t *testing.T) {
	long := strings.Repeat("a", 65)
	for _, c := range []struct {
		a, b  string
		limit int
		want  int
	}{
		{"", "", 2, 0},
		{"a", "", 2, 1},
		{"", "ab", 2, 2},
		{"gti", "git", 2, 1},
		{"abc", "abc", 2, 0},
		{"abc", "abd", 2, 1},
		{"abc", "xbcd", 2, 2},
		{"kitten", "sitting", 9, 3},
		{"abcdef", "a", 2, 3},
		{"a", "abcdef", 2, 3},
		{long, long, 2, 3},
		{"ca", "abc", 5, 3},
	} {
		if got := Distance(c.a, c.b, c.limit); got != c.want {
			t.Errorf("Distance(%q, %q, %d) = %d, want %d", c.a, c.b, c.limit, got, c.want)
		}
	}
}

// A variable begins with a letter or _, and goes on with digits, too.
func TestAssignment(t *testing.T) {
	for word, want := range map[string]bool{
		"A=b": true, "a=": true, "_=1": true, "A_1z=b=c": true, "Z9=": true,
		"": false, "A": false, "=b": false, "1A=b": false, "A-B=c": false, "A.B=c": false, "a:=1": false, "A\x80=c": false,
	} {
		if got := assignment(word); got != want {
			t.Errorf("%q: got %t", word, got)
		}
	}
}

func TestBuiltin(t *testing.T) {
	for _, name := range []string{"cd", "export", "source", ".", ":", "alias", "ulimit", "[[", "if", "}", "!"} {
		if !Builtin(name) {
			t.Errorf("%q is taken for a name", name)
		}
	}
	for _, name := range []string{"", " ", "git", "cd export", "c", "test", "[", "echo", "true", "kill", "pwd", "printf"} {
		if Builtin(name) {
			t.Errorf("%q is one", name)
		}
	}
}

func FuzzMissing(f *testing.F) {
	f.Add("gti", "git")
	f.Add("a b", "")
	f.Fuzz(func(t *testing.T, name, other string) {
		p := SearchPath{
			Path: []string{"/b"}, Dir: "/w", Root: "/",
			Programs:   func(string) []string { return []string{other} },
			Executable: func(path string) bool { return path == other },
		}
		hint, meant := Missing(name, p)
		if hint == "" || len(meant) > maxSimilar {
			t.Errorf("%q: %q, %q", name, hint, meant)
		}
		if a, b := Distance(name, other, 3), Distance(other, name, 3); a != b {
			t.Errorf("distance %q %q: %d and %d", name, other, a, b)
		}
	})
}

func BenchmarkMissing(b *testing.B) {
	names := make([]string, 3000)
	for i := range names {
		names[i] = "program-" + string(rune('a'+i%26)) + strings.Repeat("x", i%9)
	}
	p := machine("/w", "/w")
	p.Programs = func(string) []string { return names }
	b.ReportAllocs()
	for b.Loop() {
		Missing("progarm-a", p)
	}
}

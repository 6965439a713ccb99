package exitcode

import (
	"slices"
	"strings"
	"testing"
)

func TestTool(t *testing.T) {
	for argv, want := range map[string]string{
		"":                    "",
		"git status":          "git",
		"/usr/bin/git status": "git",
		"./run.sh":            "run.sh",
		`C:\bin\git.exe`:      "git",
		`npm.CMD run x`:       "npm",
		".exe":                ".exe",

		"sudo grep":                            "grep",
		"sudo -nE -u bob -g adm A=b C=d grep":  "grep",
		"sudo -ubob --user=x --chdir /x -- ls": "ls",
		"sudo -u bob":                          "sudo",
		"sudo -l grep":                         "sudo",
		"sudo -nl grep":                        "sudo",
		"sudo -e file":                         "sudo",
		"sudo":                                 "sudo",

		"env":                                 "env",
		"env A=b":                             "env",
		"env -i":                              "env",
		"env - A=b grep":                      "grep",
		"env -i -u X --unset=Y -C /x A=b ls":  "ls",
		"env --chdir /x ls":                   "ls",
		"env -iuX ls":                         "ls",
		"env --version ls":                    "env",
		"env --block-signal=INT ls":           "ls",
		"nice ls":                             "ls",
		"nice -10 ls":                         "ls",
		"nice -n 10 ls":                       "ls",
		"nice -n10 ls":                        "ls",
		"nice --adjustment 10 ls":             "ls",
		"timeout 5 ls":                        "ls",
		"timeout -s KILL -k 3 5m ls -l":       "ls",
		"timeout --foreground -v 5 -- ls":     "--", // as timeout itself reads it
		"timeout -k3 --signal INT 5 ls":       "ls",
		"timeout 5":                           "timeout",
		"timeout --help 5 ls":                 "timeout",
		"timeout 5 env A=b sudo nice ls":      "ls",
		"npx eslint .":                        "eslint",
		"npx -y eslint@8.1 .":                 "eslint",
		"npx --yes @biomejs/biome@2 check":    "biome",
		"npx -p typescript tsc":               "tsc",
		"npx --package=typescript -- tsc":     "tsc",
		"npx":                                 "npx",
		"uv run pytest":                       "pytest",
		"uv --directory x run -q --with a ls": "ls",
		"uv run -m pytest":                    "pytest",
		"uv run --module pytest -q":           "pytest",
		"uv run python -m pytest":             "pytest",
		"uv run -p 3.12 -- ruff check":        "ruff",
		"uv run":                              "uv",
		"uv pip install run":                  "uv",
		"uv sync":                             "uv",
		"uvx ruff":                            "uvx",

		"python -m pytest -q":               "pytest",
		"python3 -m pre_commit run":         "pre-commit",
		"python3.14 -X dev -W error -m pip": "pip",
		"python -mpytest":                   "pytest",
		"python -Bum pytest":                "pytest",
		"python x.py -m pytest":             "python",
		"python -c code -m pytest":          "python",
		"python -":                          "python",
		"python -m":                         "python",
		"python":                            "python",
		"pythonista -m x":                   "pythonista",

		"nohup ls":          "nohup",
		"xargs grep":        "xargs",
		"stdbuf -oL grep":   "stdbuf",
		"bash -c grep":      "bash",
		"npm exec eslint":   "npm",
		"poetry run pytest": "poetry",
	} {
		if got := Tool(strings.Fields(argv)); got != want {
			t.Errorf("Tool(%s) = %q, want %q", argv, got, want)
		}
	}
}

// The value of env -S is one argument that holds the beginning of a command.
func TestToolInOneArgument(t *testing.T) {
	for _, c := range []struct {
		argv []string
		want string
	}{
		{[]string{"env", "-S", "grep -r x", "f"}, "grep"},
		{[]string{"env", "-Sgrep x", "f"}, "grep"},
		{[]string{"env", "-iS", "python3 -m pytest"}, "pytest"},
		{[]string{"env", "--split-string=A=b grep x"}, "grep"},
		{[]string{"env", "-S", " "}, "env"},
		{[]string{"npx", "-c", "eslint ."}, "eslint"},
		{[]string{"npx", "--call=FOO=1 'eslint' . 2>&1"}, "eslint"},
		{[]string{"npx", "-c", "eslint . && prettier ."}, "npx"},
		{[]string{"npx", "-c", "$TOOL ."}, "npx"},
		{[]string{"env", "", "ls"}, ""},
	} {
		if got := Tool(c.argv); got != c.want {
			t.Errorf("Tool(%q) = %q, want %q", c.argv, got, c.want)
		}
	}
}

// A name that is nothing but a version stays.
func TestUnversioned(t *testing.T) {
	for name, want := range map[string]string{
		"python3.12": "python", "gcc-14": "gcc", "clang-14.0": "clang", "bzip2": "bzip2", "git": "git", "7": "7", "1.2": "1.2", "": "",
	} {
		if got := unversioned(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestIsShell(t *testing.T) {
	for argv, want := range map[string]bool{
		"sh -c x": true, "/bin/bash -lc x": true, "dash": true, "zsh": true, "ksh": true,
		"mksh": true, "ash": true, "fish -c x": true, "busybox sh -c x": true, "busybox ash": true,
		"bash.exe": true, "sudo -u x bash -c y": true, "timeout 5 sh -c x": true, "env -i sh": true,
		"": false, "busybox": false, "busybox ls": false, "git sh": false, "bash-lint": false,
		"python -c sh": false, "timeout sh": false, "sshd": false, "nohup sh": false,
	} {
		if got := IsShell(strings.Fields(argv)); got != want {
			t.Errorf("IsShell(%s) = %t", argv, got)
		}
	}
}

// Lookup ends for any command line, and does not change it.
func FuzzLookup(f *testing.F) {
	f.Add("timeout 5 env -S x uv run -m python -m pytest", 1)
	f.Add("sudo -u", 64)
	f.Add("npx -c -c -c", 127)
	f.Fuzz(func(t *testing.T, line string, status int) {
		argv := strings.Split(line, " ")
		m, ok := Lookup(argv, status)
		if got := strings.Join(argv, " "); got != line {
			t.Errorf("argv became %q", got)
		}
		if ok && m.Kind == "" {
			t.Errorf("%q: %d: no kind", line, status)
		}
		if ok && m.Tool != Tool(argv) && m.Tool != unversioned(Tool(argv)) && !inList("timeout,env,nice", ',', m.Tool) {
			t.Errorf("%q: tool %q, and %q", line, m.Tool, Tool(argv))
		}
		IsShell(argv)
	})
}

// An argv of programs that run each other ends somewhere, so that it takes linear time.
func TestThroughMost(t *testing.T) {
	t.Parallel()
	argv := slices.Repeat([]string{"npx"}, 32)
	if got := Through(append(argv, "git")); len(got) != 1 || got[0] != "git" {
		t.Errorf("through 32 programs: %q", got)
	}
	if got := Through(append(argv, "npx", "git")); len(got) != 2 {
		t.Errorf("through 33 programs: %q", got)
	}
}

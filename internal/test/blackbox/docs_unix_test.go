//go:build unix

package blackbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/test/testenv"
)

// block is the code between the markers of a name in a file of docs.
func block(t *testing.T, file, name string) string {
	t.Helper()
	_, rest, ok := strings.Cut(contents(t, filepath.Join("docs", file)), "<!-- begin "+name+" -->\n```")
	_, code, ok2 := strings.Cut(rest, "\n")
	code, _, ok3 := strings.Cut(code, "```\n<!-- end "+name+" -->")
	if !ok || !ok2 || !ok3 {
		t.Fatalf("docs/%s has no block %q", file, name)
	}
	return code
}

func contents(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A docCommand is a program that is run in a directory with a block of docs.
type docCommand struct {
	args  []string
	agent string
}

// run returns stdout and stderr together.
func (c docCommand) run(t *testing.T, dir string) (string, error) {
	t.Helper()
	if _, err := exec.LookPath(c.args[0]); err != nil {
		t.Skipf("%s is not here", c.args[0])
	}
	cmd := exec.CommandContext(t.Context(), c.args[0], c.args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "ENVWRAP_AGENT="+c.agent, "XDG_STATE_HOME="+dir, "MAKEFLAGS=", "MAKELEVEL=")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

// makefile is a directory with a Makefile of docs/make.md.
func makefile(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "Makefile"), []byte(block(t, "make.md", name)), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A recipe with -o shows its output, keeps its status, and leaves an envelope.
func TestMakeRecipes(t *testing.T) {
	dir := makefile(t, "recipes")
	out, err := docCommand{[]string{"make", "check"}, "none"}.run(t, dir)
	for _, want := range []string{"testing\n0 failures\n", "2 findings\n", "lint] Error 3"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in %q", want, out)
		}
	}
	if err != nil {
		t.Errorf("make: %v, %q", err, out)
	}
	if _, err := (docCommand{[]string{"make", "lint"}, "none"}).run(t, dir); err == nil {
		t.Error("a recipe that failed did not fail make")
	}
}

// The README's recipe leaves an envelope, and make the status.
func TestReadmeMakefile(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("make is not here")
	}
	dir := t.TempDir()
	for _, f := range fences(t, "README.md") {
		if f.lang == "make" {
			writeFile(t, filepath.Join(dir, "Makefile"), f.code)
		}
	}
	writeFile(t, filepath.Join(dir, "go"), "#!/bin/sh\necho \"go $*\"; exit 3\n")
	out, err := docCommand{[]string{"sh", "-c", "PATH=.:$PATH make"}, "none"}.run(t, dir)
	if err == nil || !strings.Contains(out, "go test ./...\n") || !strings.Contains(out, "Error 3") {
		t.Errorf("got %q, %v", out, err)
	}
	if doc := contents(t, filepath.Join(dir, "test.json")); !strings.Contains(doc, `"exit_code":3`) {
		t.Errorf("the envelope is %q", doc)
	}
}

// fish has the function that docs/shell.md shows.
func TestFishFunction(t *testing.T) {
	for _, f := range fences(t, "docs/shell.md") {
		if f.note("run by ") != "TestFishFunction" {
			continue
		}
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, "git"), "#!/bin/sh\necho \"git $*\"\n")
		out, err := docCommand{[]string{"fish", "--no-config", "-c", f.code + "\nset -p PATH .; git a 'b c' | tr a-z A-Z"}, "none"}.run(t, dir)
		if err != nil || out != "GIT A B C\n" {
			t.Errorf("got %q, %v", out, err)
		}
		return
	}
	t.Error("docs/shell.md has no such block")
}

// With envwrap for a shell people get what make always printed.
func TestMakeShell(t *testing.T) {
	for _, name := range []string{"shell", "optional"} {
		out, err := docCommand{[]string{"make"}, "none"}.run(t, makefile(t, name))
		want := map[string]string{"shell": "building 1.2.3\nDONE\n", "optional": "done\n"}[name]
		if err != nil || out != want {
			t.Errorf("%s: got %q, %v", name, out, err)
		}
	}
}

// A make below envwrap shares the job slots of the make above.
func TestMakeJobs(t *testing.T) {
	dir := makefile(t, "jobs")
	out, err := docCommand{[]string{"make", "-s", "-j2"}, "none"}.run(t, dir)
	if err != nil || !strings.Contains(out, "part-1\n") || !strings.Contains(out, "part-2\n") || strings.Contains(out, "jobserver") {
		t.Errorf("got %q, %v", out, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "parts.json")); err != nil {
		t.Error(err)
	}
}

// The recipes of docs/shell.md work as they are printed there.
func TestShellRecipes(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here")
	}
	for _, shell := range []string{"sh", "bash"} {
		for _, c := range []struct{ block, then, want string }{
			{"aliases", "alias git npm >/dev/null", ""},
			{"functions", "git --version | cut -d' ' -f1; e true >/dev/null; again | cut -c1-11", "git\n{\"version\":\n"},
			{"script", "", "try again later\n"},
		} {
			script := block(t, "shell.md", c.block) + c.then
			out, err := docCommand{[]string{shell, "-c", script}, "none"}.run(t, t.TempDir())
			if err != nil || out != c.want {
				t.Errorf("%s, %s: got %q, %v", shell, c.block, out, err)
			}
		}
	}
}

// The plugin for Claude Code has the skill and the MCP server, as they are elsewhere, and
// a command that sets envwrap below it.
func TestClaudePlugin(t *testing.T) {
	if contents(t, "plugins/claude-code/skills/envwrap/SKILL.md") != contents(t, "skills/envwrap/SKILL.md") {
		t.Error("plugins/claude-code/skills/envwrap/SKILL.md is not skills/envwrap/SKILL.md: copy it")
	}
	var servers, plugin, market map[string]any
	for name, to := range map[string]*map[string]any{
		".mcp.json": &servers, ".claude-plugin/plugin.json": &plugin, "../../.claude-plugin/marketplace.json": &market,
	} {
		if err := json.Unmarshal([]byte(contents(t, "plugins/claude-code/"+name)), to); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if setup := contents(t, "plugins/claude-code/commands/setup.md"); !strings.Contains(setup, "`envwrap hook install claude-code`") {
		t.Errorf("the command setup is %q", setup)
	}
	if got, want := fmt.Sprint(servers), "map[mcpServers:map[envwrap:map[args:[mcp] command:envwrap]]]"; got != want {
		t.Errorf("the server is %s, want %s", got, want)
	}
	if plugin["name"] != "envwrap" || !strings.Contains(fmt.Sprint(market), "source:./plugins/claude-code") {
		t.Errorf("got %v in %v", plugin, market)
	}
}

// The skill keeps to the open format: its name is its directory's, what is
// always loaded is short, and its commands work.
func TestSkill(t *testing.T) {
	head, body, ok := strings.Cut(strings.TrimPrefix(contents(t, "skills/envwrap/SKILL.md"), "---\n"), "\n---\n")
	if !ok {
		t.Fatal("no front matter")
	}
	fields := map[string]string{}
	for line := range strings.Lines(head) {
		name, value, _ := strings.Cut(line, ": ")
		fields[name] = strings.TrimSpace(value)
	}
	if fields["name"] != "envwrap" || len(fields["description"]) < 50 || len(fields["description"]) > 1024 {
		t.Errorf("front matter is %q", fields)
	}
	if n := strings.Count(body, "\n"); n > 200 {
		t.Errorf("the body has %d lines", n)
	}
	dir := t.TempDir()
	for _, stub := range []string{"npm", "gh", "make", "a", "b"} {
		if err := testenv.WriteProgram(filepath.Join(dir, stub), "#!/bin/sh\n"); err != nil {
			t.Fatal(err)
		}
	}
	put, err := docCommand{[]string{"sh", "-c", `echo '{"items":[{"name":"error"}]}' | envwrap artifact put`}, "none"}.run(t, dir)
	if err != nil {
		t.Fatalf("%v: %s", err, put)
	}
	id := strings.TrimSpace(put)
	ran := 0
	for line := range strings.Lines(body) {
		command, ok := strings.CutPrefix(line, "    envwrap ")
		if !ok {
			continue
		}
		command, _, _ = strings.Cut(command, "   ")                                                            // what it does follows
		command = "PATH=.:$PATH; envwrap " + strings.NewReplacer(" ID", " "+id, " JOB", " 0").Replace(command) // there is one job
		if out, err := (docCommand{[]string{"sh", "-c", command}, "none"}).run(t, dir); err != nil && !strings.Contains(command, " last") {
			t.Errorf("%s: %v, %s", command, err, out)
		}
		ran++
	}
	if ran < 8 {
		t.Errorf("only %d commands were found", ran)
	}
}

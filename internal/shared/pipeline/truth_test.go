package pipeline

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/shared/shell"
	"github.com/envwrap/envwrap/internal/test/matrix"
)

// The stages that a text is said to have are those that bash ran: in random texts whose
// stages are commands with known statuses, no status is ever said of a stage that ended
// with another.
func TestTruth(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed: there is nothing to compare with")
	}
	dir := t.TempDir()
	answer, startup := filepath.Join(dir, "answer"), filepath.Join(dir, "env")
	named := filepath.Join(dir, "command")
	content, _ := Probe(Answers{Statuses: answer, Command: named}, nil)
	if err := os.WriteFile(startup, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	said, decided := 0, 0
	most := matrix.Times(200, 400)
	for seed := range uint64(most) {
		text := (&texts{rand.New(rand.NewPCG(1, seed)), 0}).list()
		line, ok := Read([]string{"bash", "-c", text}, nil)
		if !ok {
			continue
		}
		_, _ = os.Remove(answer), os.Remove(named) // each may be absent
		cmd := exec.Command(bash, "-c", text)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "BASH_ENV=" + startup}
		_ = cmd.Run()
		if command, _ := os.ReadFile(named); cmd.ProcessState.ExitCode() > 0 {
			s, _, ok := shell.FindDecider(line.Deciders, LastCommand(string(command)))
			if want := slices.Index(programs, s.Name()); ok && want >= 0 {
				decided++
				if code := cmd.ProcessState.ExitCode(); code != want {
					t.Errorf("%s is said to have decided the status %d:\n%s", command, code, text)
				}
			}
		}
		p := line.LastPipeline
		if p == nil {
			continue
		}
		data, _ := os.ReadFile(answer)
		statuses, known := Statuses(string(data), len(p.Stages))
		if code := cmd.ProcessState.ExitCode(); !known || code == 0 && !p.Certain || code != 0 && !p.Alone {
			continue
		}
		said++
		for i, s := range p.Stages {
			want := slices.Index(programs, s.Name())
			if want >= 0 && statuses[i] != want {
				t.Errorf("stage %d of %d ended with %d (%v), not with that of %s (%d):\n%s", i+1, len(p.Stages), statuses[i], statuses, s.Name(), want, text)
				break
			}
		}
	}
	if decided < most/20 {
		t.Errorf("the deciding commands of only %d texts are known", decided)
	}
	if said < most/8 {
		t.Errorf("the stages of only %d texts are known", said)
	}
}

// programs are those that the texts run, each at the place that is its status.
var programs = []string{"true", "false", "test"}

// texts makes random texts.
type texts struct {
	*rand.Rand

	depth int
}

func (g *texts) of(choices ...string) string { return choices[g.IntN(len(choices))] }

func (g *texts) list() string {
	g.depth++
	defer func() { g.depth-- }()
	var b strings.Builder
	for range 1 + g.IntN(3) {
		if g.IntN(9) == 0 {
			b.WriteString(g.of("exit", "command exit", "set -e", "set -o pipefail", "shopt -s lastpipe", "eval 'true | false; exit 0'", "builtin eval 'true | false; exit 0'",
				"f", "x=$(true | false)", "trap 'true | false' EXIT", "false() { true; }", "((1))", "$NONE", "cat <<X\ntrue | false\nX", "# true | \\", "[[ a =~ (a|b) ]]", ": \"${x:-$y's}\"") + "\n")
		}
		b.WriteString(g.pipe())
		for g.IntN(3) == 0 {
			b.WriteString(g.of(" && ", " || ") + g.pipe())
		}
		b.WriteString("\n")
	}
	return b.String()
}

func (g *texts) pipe() string {
	stages := make([]string, []int{1, 1, 2, 2, 2, 3}[g.IntN(6)])
	for i := range stages {
		stages[i] = g.stage()
	}
	return g.of("", "", "", "", "! ", "time ") + strings.Join(stages, g.of(" | ", "|", " |&", " |\n", " | \\\n"))
}

func (g *texts) stage() string {
	if g.depth > 3 || g.IntN(4) > 0 {
		return g.of("true", "false", "test 1 2", "'tr'ue a \"b | c\"", "X=1 false 2>&1", "test 1 2 2>/dev/null", "true $(true | false)", "false `test 1 2`")
	}
	switch g.IntN(7) {
	case 0:
		return "{ " + g.list() + "}"
	case 1:
		return "( " + g.list() + ")"
	case 2:
		return "if " + g.list() + "then " + g.list() + g.of("fi", "else "+g.list()+"fi")
	case 3:
		return "for i in" + g.of("", " 1", " 1 2") + "; do " + g.list() + "done"
	case 4:
		return "case " + g.of("a", "b") + " in a) " + g.list() + g.of(";;", ";&") + " b) " + g.list() + "esac"
	case 5:
		return "f() { " + g.list() + "}"
	}
	return "until true; do " + g.list() + "done"
}

//go:build unix

package engine

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/test/testenv"
)

// runScript runs a script, as an engine does, and returns what it printed.
func runScript(t *testing.T, s *Script) string {
	t.Helper()
	file := filepath.Join(s.Dir, "script")
	if err := os.WriteFile(file, []byte(s.Text()), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", file)
	cmd.Env = []string{"PATH=/usr/bin:/bin"} // which has no envwrap
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

func content(t *testing.T, s *Script, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(s.Dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// However often an engine runs the script, the command is started as often as it may be.
func TestScriptStarts(t *testing.T) {
	t.Parallel()
	for _, starts := range []int{0, 1, 3} {
		s := &Script{Dir: t.TempDir(), Work: "/", Self: "/no/envwrap", Argv: []string{"sh", "-c", "echo ran; exit 7"}, Starts: starts}
		ran := 0
		for range 5 {
			runScript(t, s)
			if err := os.Remove(filepath.Join(s.Dir, ExitFile)); err == nil { // as if the node had died
				ran++
			}
		}
		if ran != max(starts, 1) {
			t.Errorf("%d: it was started %d times", starts, ran)
		}
	}
}

// A command that the engine has ended is started again, as often as it may be.
func TestScriptEnded(t *testing.T) {
	t.Parallel()
	for starts, want := range map[int]string{1: "", 2: "0"} {
		s := &Script{Dir: t.TempDir(), Work: "/", Self: "/no/envwrap", Argv: []string{"true"}, Starts: starts}
		if err := os.Mkdir(filepath.Join(s.Dir, Started+"0"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(s.Dir, Envelope), []byte(`{"version":1,"error":{"code":"ECANCELED"}}`), 0o600); err != nil {
			t.Fatal(err)
		}
		runScript(t, s)
		if got, _ := os.ReadFile(filepath.Join(s.Dir, ExitFile)); strings.TrimRight(string(got), " \n") != want {
			t.Errorf("%d: %q", starts, got)
		}
	}
}

// A start that was refused, that comes too late, or whose end is known does nothing.
func TestScriptRefuses(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Script) error{
		"refused":      func(s *Script) error { return os.WriteFile(filepath.Join(s.Dir, Started+"0"), nil, 0o600) },
		"late":         func(s *Script) error { s.Until = time.Unix(1, 0); return nil },
		"has ended":    func(s *Script) error { return os.WriteFile(filepath.Join(s.Dir, Envelope), nil, 0o600) },
		"is forgotten": func(s *Script) error { s.Dir = filepath.Join(s.Dir, "gone"); return nil },
	} {
		s := &Script{Dir: t.TempDir(), Work: "/", Self: "/no/envwrap", Argv: []string{"true"}, Starts: 3}
		if err := change(s); err != nil {
			t.Fatal(name, err)
		}
		file := filepath.Join(t.TempDir(), "script")
		if err := os.WriteFile(file, []byte(s.Text()), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("sh", file).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", name, err, out)
		}
		if _, err := os.Stat(filepath.Join(s.Dir, ExitFile)); err == nil {
			t.Error(name, "it was started")
		}
	}
}

// Without envwrap the command's status and output are files that only the user can read.
func TestScriptBare(t *testing.T) {
	t.Parallel()
	work := t.TempDir()
	s := &Script{
		Dir: t.TempDir(), Work: work, Self: "/no/it's", Env: []string{"A=b c'd"},
		Argv:  []string{"sh", "-c", `pwd; echo "$A|$1|"; cat; umask; echo err >&2; kill -9 $$`, "sh", "a b'c$HOME\n*"},
		Stdin: filepath.Join(work, "in it's"),
	}
	if err := os.WriteFile(s.Stdin, []byte("read\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	runScript(t, s)
	mask, err := exec.Command("sh", "-c", "umask").Output()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := content(t, s, RawOut), work+"\nb c'd|a b'c$HOME\n*|\nread\n"+string(mask); got != want {
		t.Errorf("%q", got)
	}
	if got := content(t, s, RawErr) + strings.TrimRight(content(t, s, ExitFile), " \n"); got != "err\n137" {
		t.Errorf("%q", got)
	}
	for _, name := range []string{RawOut, RawErr} {
		if info, err := os.Stat(filepath.Join(s.Dir, name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Error(name, info.Mode(), err)
		}
	}
}

// The far envwrap gets the options and the command byte for byte, and writes the envelope.
func TestScriptEnvwrap(t *testing.T) {
	t.Parallel()
	self := filepath.Join(t.TempDir(), "it's envwrap")
	if err := testenv.WriteProgram(self, "#!/bin/sh\n[ \"$1\" = version ] || { echo \"$#\"; printf '<%s>' \"$T\" \"$@\"; }\n"); err != nil {
		t.Fatal(err)
	}
	s := &Script{Dir: t.TempDir(), Work: "/", Self: self, Options: []string{"--env=A=b c'"}, Export: []string{"T=it's $x\n", "U="}, Argv: []string{"printf", "a\nb", "", "é"}}
	runScript(t, s)
	if got, want := content(t, s, Stdout), "9\n<it's $x\n><run><--env=A=b c'><--output="+s.Dir+"/envelope><--stdin=inherit><--><printf><a\nb><><é>"; got != want {
		t.Errorf("%q", got)
	}
}

// A script for a machine that shares no files prints what its command prints, and ends with
// its status.
func TestScriptApart(t *testing.T) {
	t.Parallel()
	work := t.TempDir()
	for name, c := range map[string]struct {
		s      Script
		out    string
		status int
	}{
		"bare":        {Script{Work: work, Env: []string{"A=b c'd"}, Argv: []string{"sh", "-c", `pwd; echo "$A|$1"; echo err >&2; exit 7`, "sh", "x\ny"}}, work + "\nb c'd|x\ny\nerr\n", 7},
		"secrets":     {Script{Env: []string{"A=b", "T=it's\n", "M.T=x y"}, Export: []string{"T=it's\n", "M.T=x y"}, Argv: []string{"printenv", "A", "T", "M.T"}}, "b\nit's\n\nx y\n", 0},
		"killed":      {Script{Argv: []string{"sh", "-c", "kill -9 $$"}}, "", 137},
		"interrupted": {Script{Argv: []string{"sh", "-c", "kill -INT $$"}}, "", 130},
		"timed out":   {Script{Timeout: 300 * time.Millisecond, KillAfter: 200 * time.Millisecond, Argv: []string{"sh", "-c", "trap '' TERM; sleep 30; sleep 30"}}, "\nenvwrap-ended apart 137 timeout\n", 124},
		"own 124":     {Script{Timeout: time.Minute, Argv: []string{"sh", "-c", "exit 124"}}, "", 124},
		"on no PATH":  {Script{Argv: []string{"nosuchprogram"}}, "\nenvwrap-ended apart 127 missing\n", 127},
		"late":        {Script{Until: time.Unix(1, 0), Argv: []string{"echo", "ran"}}, "envwrap: --queue-timeout is over\n", 125},
	} {
		c.s.Name = "apart" // no beginning of another test's, whose processes it would end
		cmd := exec.Command("sh", "-c", c.s.Apart())
		cmd.Env = []string{"PATH=/usr/bin:/bin"} // which has no envwrap
		out, _ := cmd.CombinedOutput()
		if string(out) != c.out || cmd.ProcessState.ExitCode() != c.status {
			t.Errorf("%s: %q, %d", name, out, cmd.ProcessState.ExitCode())
		}
	}
	bin := t.TempDir()
	if err := testenv.WriteProgram(filepath.Join(bin, "envwrap"), "#!/bin/sh\n[ \"$1\" = version ] || printf '<%s>' \"$T\" \"$@\"\n"); err != nil {
		t.Fatal(err)
	}
	s := Script{Options: []string{"--env=A=b c'"}, Export: []string{"T=a b"}, Argv: []string{"printf", "a\nb", ""}}
	cmd := exec.Command("sh", "-c", s.Apart())
	cmd.Env = []string{"PATH=" + bin + ":/usr/bin:/bin"}
	if out, err := cmd.Output(); err != nil || string(out) != "<a b><run><--env=A=b c'><--tee><--output=-><--stdin=inherit><--><printf><a\nb><>" {
		t.Errorf("%q, %v", out, err)
	}
}

// A marked script says when the command started, and how it ended, with envwrap or without.
func TestScriptMarked(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	if err := testenv.WriteProgram(filepath.Join(bin, "envwrap"), "#!/bin/sh\n[ \"$1\" = version ] || { printf '<%s>' \"$@\"; exit 3; }\n"); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"": "it's\nerr\n\nenvwrap-ended n 7\n", bin + ":": "<run><--tee><--output=-><--stdin=inherit><--><sh><-c><echo \"it's\"; echo err >&2; exit 7>\nenvwrap-ended n 3\n"} {
		for _, file := range []string{"", "own log"} {
			s := Script{Name: "n", Argv: []string{"sh", "-c", `echo "it's"; echo err >&2; exit 7`}}
			cmd := exec.Command("sh", "-c", s.Marked(file))
			cmd.Env, cmd.Dir = []string{"PATH=" + path + "/usr/bin:/bin"}, t.TempDir()
			out, err := cmd.CombinedOutput()
			if file != "" {
				info, statErr := os.Stat(filepath.Join(cmd.Dir, file))
				if len(out) > 0 || statErr != nil || info.Mode().Perm() != 0o600 {
					t.Errorf("%q, %v, %v", out, info, statErr)
				}
				out, _ = os.ReadFile(filepath.Join(cmd.Dir, file))
			}
			first, rest, _ := strings.Cut(string(out), "\n")
			if err != nil || !strings.HasPrefix(first, "envwrap-started n ") || rest != want {
				t.Errorf("%q, %v", out, err)
			}
		}
	}
}

// A member of an Indexed Job finds its number, and its line, by its index.
func TestScriptApartMember(t *testing.T) {
	t.Parallel()
	for index, want := range []string{"3|line it's $3|", "7|line 7|", "8|line 8|", "9|line 9|", "12|line 12|"} {
		for i, lines := range []string{"", "1\n2\nline it's $3\n4\n5\n6\nline 7\r\nline 8\nline 9\n10\n11\nline 12"} {
			s := Script{Argv: []string{"printf", "%s", "{}|"}}
			cmd := exec.Command("sh", "-c", s.ApartMember("JOB_COMPLETION_INDEX", "3,7-9,12", lines))
			cmd.Env = []string{"PATH=/usr/bin:/bin", fmt.Sprintf("JOB_COMPLETION_INDEX=%d", index)}
			number, text, _ := strings.Cut(want, "|")
			if i == 0 {
				text = number + "|"
			}
			if out, err := cmd.CombinedOutput(); err != nil || string(out) != text {
				t.Errorf("%d: %q, %v", index, out, err)
			}
		}
	}
}

// A process comes after its parent, whatever their ids, also if all have the job's mark: else
// a shell whose child gets a signal first goes on for a moment.
func TestDescendants(t *testing.T) {
	t.Parallel()
	var stat, marked strings.Builder
	ids := rand.New(rand.NewPCG(5, 6)).Perm(9000)[:60]
	for i, id := range ids {
		parent := 1
		if i > 0 {
			parent = ids[(i-1)/2]
		}
		fmt.Fprintf(&stat, "%d (a) b) S %d%s 7%d 0\n", id+100, parent+100, strings.Repeat(" 0", 17), id)
		fmt.Fprintf(&marked, "%d ", id+100)
	}
	stat.WriteString("99 (other) S 1" + strings.Repeat(" 0", 17) + " 5 0\n")
	for _, roots := range []string{fmt.Sprint(ids[0] + 100), marked.String()} {
		cmd := exec.Command("awk", "-v", "r="+roots, descendants)
		cmd.Stdin = strings.NewReader(stat.String())
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		place := map[string]int{}
		for i, line := range strings.Fields(string(out)) {
			place[line] = i
		}
		name := func(i int) string { return fmt.Sprintf("%d:7%d", ids[i]+100, ids[i]) }
		for i := range ids {
			own, ok := place[name(i)]
			if above, there := place[name(max(0, i-1)/2)]; len(place) != len(ids) || !ok || !there || i > 0 && own < above {
				t.Fatalf("%q: %d processes, %s is number %d, its parent %d: %s", roots, len(place), name(i), own, above, out)
			}
		}
	}
}

// A signal for a script ends all that its command started, also what ignores TERM or was left
// by the process that the script waits for, before the script says how the command ended.
func TestScriptStopped(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		command string
		signals []syscall.Signal
		ended   string
		after   time.Duration
	}{
		"ends by itself":   {"trap 'exit 3' TERM; (trap '' TERM; echo >begun; sleep 30) & wait", []syscall.Signal{syscall.SIGTERM}, "3 stopped", time.Hour},
		"ends by TERM":     {"(trap '' TERM; setsid sleep 30) & echo >begun; exec sleep 30", []syscall.Signal{syscall.SIGTERM}, "143 stopped", time.Hour},
		"drops its mark":   {"env -i setsid sh -c 'sleep 3; echo outlived' & echo >begun; exec sleep 30", []syscall.Signal{syscall.SIGTERM}, "143 stopped", time.Hour},
		"has to be killed": {"trap '' TERM INT; (trap '' TERM; echo >begun; sleep 30) & sleep 30; sleep 30", []syscall.Signal{syscall.SIGINT}, "137 stopped", time.Hour},
		"ignores it":       {"trap '' TERM; echo >begun; sleep 30; sleep 30", []syscall.Signal{syscall.SIGTERM}, "137 stopped", time.Millisecond},
		"gets it twice":    {`exec 2>/dev/null; exec setsid sh -c 'trap "sleep .2; echo >>termed" TERM; echo >begun; for i in $(seq 600); do sleep .05; done'`, []syscall.Signal{syscall.SIGTERM, syscall.SIGTERM}, "137 stopped", time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := Script{Name: "n-" + strings.ReplaceAll(name, " ", "-"), Work: dir, KillAfter: c.after, Argv: []string{"sh", "-c", c.command}}
			cmd := exec.Command("sh", "-c", s.Marked(""))
			cmd.Env = []string{"PATH=/usr/bin:/bin"} // which has no envwrap
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			// What is left of the command would keep the pipe open.
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			testenv.Await(t, filepath.Join(dir, "begun"))
			for i, sig := range c.signals {
				if i > 0 { // two that come at once are one
					testenv.Await(t, filepath.Join(dir, "termed"))
				}
				to := cmd.Process.Pid
				if len(c.signals) > 1 { // as some engines do
					to = -to
				}
				if err := syscall.Kill(to, sig); err != nil {
					t.Fatal(err)
				}
			}
			text, err := io.ReadAll(out)
			if err := errors.Join(err, cmd.Wait()); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), "Terminated") {
				t.Errorf("it has a word of the script's own shell: %q", text)
			}
			if !strings.HasSuffix(string(text), "\nenvwrap-ended "+s.Name+" "+c.ended+"\n") {
				t.Errorf("%q", text)
			}
		})
	}
}

// A command that cannot be started where no envwrap is ends as here, whatever its output says; its
// name is no word of the shell, nor of the programs that execute it.
func TestScriptNotStarted(t *testing.T) {
	t.Parallel()
	dir := testenv.TempDir(t)
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "text"), nil, 0o600), os.Mkdir(filepath.Join(dir, "sub"), 0o700), testenv.WriteProgram(filepath.Join(dir, "-y"), "#!/bin/sh\nexit 5\n")); err != nil {
		t.Fatal(err)
	}
	path := "PATH=/usr/bin:/bin:" + dir
	for _, c := range []struct {
		argv, env []string
		work      string
		want      string
	}{
		{[]string{"A=b"}, nil, "", "127 missing"},
		{[]string{"-x", "true"}, nil, "", "127 missing"},
		{[]string{"--", "true"}, []string{"A=b"}, "", "127 missing"},
		{[]string{"cd"}, nil, "", "127 missing"},
		{[]string{""}, nil, "", "127 missing"},
		{[]string{"./nosuch it's"}, nil, "/", "127 missing"},
		{[]string{"nosuch/y/x"}, nil, "/", "127 missing"},
		{[]string{"/nosuch/x"}, nil, "", "127 missing"},
		{[]string{"true"}, []string{"PATH=/nosuch::"}, dir, "127 missing"},
		{[]string{"true"}, []string{"PATH=/nosuch:/bin"}, "", "0"},
		{[]string{"text"}, []string{path}, "", "126 denied"},
		{[]string{"sub"}, []string{path}, "", "127 missing"},
		{[]string{"./text"}, nil, dir, "126 denied"},
		{[]string{"./sub"}, nil, dir, "126 isdir"},
		{[]string{"true"}, nil, dir + "/nosuch", "125 directory"},
		{[]string{"sh", "-c", "echo 126 denied; exit 127"}, nil, "", "127"},
		{[]string{"./-y"}, nil, dir, "5"},
	} {
		s := Script{Name: "n", Env: c.env, Argv: c.argv, Work: c.work}
		cmd := exec.Command("sh", "-c", s.Marked(""))
		cmd.Env = []string{"PATH=/usr/bin:/bin"} // which has no envwrap
		out, _ := cmd.CombinedOutput()
		if !strings.HasSuffix(string(out), "\nenvwrap-ended n "+c.want+"\n") || strings.Contains(string(out), "PATH=") {
			t.Errorf("%+v: %q", c, out)
		}
	}
}

// The script says whether the command's time was over, and has the status that the command then
// ended with; another status of 124 is the command's own.
func TestScriptTimeout(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"exec sleep 30":                              "143 timeout",
		"trap 'exit 7' TERM; sleep 30 & wait":        "7 timeout",
		"trap '' TERM; (sleep 30); sleep 30":         "137 timeout",
		"exit 124":                                   "124",
		"kill -KILL $$":                              "137",
		"setsid sleep 30 & trap 'exit 0' TERM; wait": "0 timeout",
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			s := Script{Name: "t" + strings.Map(onlyLetters, command), Argv: []string{"sh", "-c", command}, Timeout: 200 * time.Millisecond, KillAfter: time.Millisecond}
			cmd := exec.Command("sh", "-c", s.Marked(""))
			cmd.Env = []string{"PATH=/usr/bin:/bin"} // which has no envwrap
			// What is left of the command would keep the pipe open.
			if out, err := cmd.CombinedOutput(); err != nil || !strings.HasSuffix(string(out), "\nenvwrap-ended "+s.Name+" "+want+"\n") {
				t.Errorf("%q, %v", out, err)
			}
		})
	}
}

func onlyLetters(r rune) rune {
	if r >= 'a' && r <= 'z' {
		return r
	}
	return -1
}

// A member that cannot be started says why in its file.
func TestScriptMemberCannotStart(t *testing.T) {
	t.Parallel()
	bin := testenv.TempDir(t)
	if err := testenv.WriteProgram(filepath.Join(bin, "envwrap"), "#!/bin/sh\n[ \"$1\" = version ] || echo ran >&2\n"); err != nil {
		t.Fatal(err)
	}
	for path, c := range map[string][2]string{"/usr/bin:/bin": {"", "no envwrap is where it runs"}, bin + ":/usr/bin:/bin": {"/nosuch", "the file with its line is gone, or has fewer lines"}} {
		s := &Script{Dir: t.TempDir(), Self: "/no/envwrap", Argv: []string{"true"}}
		if err := os.Mkdir(filepath.Join(s.Dir, Members), 0o700); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("sh", "-c", s.Array("TASK", c[0]))
		cmd.Env = []string{"PATH=" + path, "TASK=3"}
		out, err := cmd.CombinedOutput()
		if got := content(t, s, Members+"/3"); got != NoStart+c[1]+"\n" || strings.Contains(string(out), "ran") {
			t.Errorf("%s: %q, %v, %q", c[1], out, err, got)
		}
	}
}

// A member whose mark was made in a directory that goes, or is there already, does not start.
func TestScriptMemberOfTheGone(t *testing.T) {
	t.Parallel()
	for name, mkdir := range map[string]string{
		"ran":     `/bin/mkdir "$1"`,
		"renamed": `case $1 in (*/members/*) /bin/mkdir "$1"; mv "${1%/*}" "${1%/*}.over";; (*) /bin/mkdir "$1";; esac`,
		"marked":  `/bin/mkdir "$1"; /bin/mkdir "$1"`,
	} {
		bin, s := testenv.TempDir(t), &Script{Dir: t.TempDir(), Self: "/no/envwrap", Argv: []string{"true"}}
		if err := errors.Join(os.Mkdir(filepath.Join(s.Dir, Members), 0o700), testenv.WriteProgram(filepath.Join(bin, "mkdir"), "#!/bin/sh\n"+mkdir+"\n"),
			testenv.WriteProgram(filepath.Join(bin, "envwrap"), "#!/bin/sh\n[ \"$1\" = version ] || : >\"$RAN\"\n")); err != nil {
			t.Fatal(err)
		}
		ran := filepath.Join(s.Dir, "ran")
		cmd := exec.Command("sh", "-c", s.Array("TASK", ""))
		cmd.Env = []string{"PATH=" + bin + ":/usr/bin:/bin", "TASK=3", "RAN=" + ran}
		out, err := cmd.CombinedOutput()
		if _, missing := os.Stat(ran); err != nil || (missing == nil) != (name == "ran") {
			t.Errorf("%s: %q, %v, %v", name, out, err, missing)
		}
	}
}

func TestIsVariable(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"A": true, "_a1": true, "1A": false, "": false, "A-B": false, "M.T": false} {
		if isVariable(name) != want {
			t.Errorf("%q is %t", name, !want)
		}
	}
}

package blackbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// prefix is a runner's command. Its far end is another home on this machine. PLACE says
// what becomes of a call there: a word for what happens, and the verb of the call to which
// it happens.
const prefix = `#!/bin/sh
verb=$2
[ "$verb" != job ] || verb=$3
home=$FAR
case $PLACE in
*" fresh") home=$FAR/$$ ;;                 # a container for each call
*" split") [ "$verb" = run ] || home=$FAR/b ;; # another machine for all but the run
esac
mkdir -p "$home"
export HOME="$home" XDG_STATE_HOME="$home/state"
grep -q '"handed over"' "$NEAR"/envwrap/jobs/*/record.json || echo "$verb before it was recorded" >>"$WRONG"
if [ $verb = run ]; then
	echo x >>"$STARTS"
	for word; do case $word in --id=*) id=${word#--id=} ;; esac; done
	[ $(wc -l <"$STARTS") = 1 ] || verb=rerun
	grep -q "$id" "$NEAR"/envwrap/jobs/*/record.json || echo "the id $id is not recorded" >>"$WRONG"
fi
trap : TERM # which it is sent if envwrap dies; ssh would end, and not its far end
place=${PLACE% fresh} place=${place% split}
case ${place%, held} in
"near dies as $verb begins") kill -9 $PPID; "$@"; exit ;;
"near dies and $verb is lost") kill -9 $PPID; exit 1 ;;
"near dies as $verb ends") answer=$("$@"); kill -9 $PPID; printf '%s\n' "$answer"; exit ;;
"near dies and $verb is late") kill -9 $PPID; late=x ;;
"$verb is late") late=x ;;
"all is old") echo "envwrap: unknown option" >&2; exit 2 ;;
"first $verb is lost") [ -e "$STARTS.$verb" ] || { echo x >"$STARTS.$verb"; exit 255; } ;;
"first results is lost") [ $verb != run ] || { "$@" >/dev/null; exit 255; } ;;
"$verb is lost") echo "Connection closed" >&2; exit 255 ;;
"$verb has no answer") "$@" >/dev/null; exit 255 ;;
"$verb has half an answer") "$@" | head -c 150; exit 255 ;;
"$verb prints garbage") "$@" >/dev/null; echo '{"version":1,'; exit 0 ;;
"$verb is answered by an old envwrap") echo "envwrap: unknown option" >&2; exit 2 ;;
"far dies as $verb begins") "$@" & kill -9 $!; wait $!; exit 255 ;;
"far dies in $verb") "$@" & read -r line <"$BEGUN"; kill -9 $!; echo go >"$GATE"; wait $!; exit 255 ;;
esac
if [ -n "$late" ]; then
	setsid sh -c 'read -r line <"$LATE"; "$@"; echo over >"$LATE"' sh "$@" >/dev/null 2>&1 </dev/null &
	exit 255
fi
exec "$@"
`

// A cutRun is two machines, and one run from one to the other that is disturbed.
type cutRun struct {
	*testing.T
	dir, place string
}

func newCutRun(t *testing.T, place string) *cutRun {
	t.Helper()
	c := &cutRun{t, testenv.TempDir(t), place}
	config := filepath.Join(c.dir, "near", ".config", "envwrap")
	if err := os.MkdirAll(config, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(c.dir, "far"), 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(config, "config.toml"), fmt.Sprintf("[runner.far]\ncommand = [%q]\n", filepath.Join(c.dir, "prefix")))
	writeFile(t, filepath.Join(c.dir, "prefix"), prefix)
	if err := os.Chmod(filepath.Join(c.dir, "prefix"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"begun", "gate", "late"} {
		if err := syscall.Mkfifo(filepath.Join(c.dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// call runs envwrap here, and returns what it prints and its status. A word says what
// happens at which call through the runner.
func (c *cutRun) call(place string, args ...string) (string, int) {
	c.Helper()
	cmd := c.command(place, args...)
	var out bytes.Buffer
	cmd.Stdout = &out
	_ = cmd.Run()
	return out.String(), cmd.ProcessState.ExitCode()
}

// command returns the call of envwrap here that call makes.
func (c *cutRun) command(place string, args ...string) *exec.Cmd {
	cmd := exec.Command("envwrap", args...)
	at := func(name string) string { return filepath.Join(c.dir, name) }
	cmd.Dir = c.dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "TMPDIR=" + os.Getenv("TMPDIR"), "HOME=" + at("near"), "XDG_STATE_HOME=" + at("near"), "NEAR=" + at("near"),
		"FAR=" + at("far"), "BEGUN=" + at("begun"), "GATE=" + at("gate"), "LATE=" + at("late"), "WRONG=" + at("wrong"), "STARTS=" + at("starts"), "PLACE=" + place,
	}
	return cmd
}

// ran returns how often the command ran.
func (c *cutRun) ran() int {
	text, _ := os.ReadFile(filepath.Join(c.dir, "ran"))
	return bytes.Count(text, []byte("\n"))
}

// A said has the facts of an answer.
type said struct {
	Data struct {
		ExitCode *int `json:"exit_code"`
		Hint     string
		Job      struct{ ID, State string }
		Jobs     []struct{ ID string }
	}
	Error struct {
		Code, Message string
		Details       struct{ Retryable bool }
	}
}

// check compares an answer with what is true, and returns in a word what it says.
func (c *cutRun) check(what, doc string, status int) string {
	c.Helper()
	var s said
	if err := json.Unmarshal([]byte(doc), &s); err != nil {
		c.Errorf("%s: %s: status %d: %v: %s", c.place, what, status, err, doc)
		return "nothing"
	}
	text := s.Error.Message + " " + s.Data.Hint
	word := ""
	switch m := s.Error.Message; {
	case what != "job wait" && status == 75 && s.Data.Job.State == "running": // found there, before it ended
		return "running"
	case s.Data.ExitCode != nil:
		word = "over"
		if c.ran() != 1 || *s.Data.ExitCode != 3 || status != 3 {
			c.Errorf("%s: %s: status %d, and it ran %d times: %s", c.place, what, status, c.ran(), doc)
		}
		return word
	case strings.Contains(m, "did not run"), strings.Contains(m, "lost before it started"):
		word = "did not run"
	case strings.Contains(m, "is not known"):
		word = "not known"
		if s.Error.Code != "ERUNTIME" || s.Error.Details.Retryable || !strings.Contains(s.Data.Hint, "`envwrap job wait ") {
			c.Errorf("%s: %s: %s", c.place, what, doc)
		}
	case strings.Contains(m, "was started there"):
		word = "started"
	case strings.Contains(m, "lost"):
		word = "lost"
	default:
		c.Errorf("%s: %s says nothing known: %s", c.place, what, doc)
	}
	if status != 125 {
		c.Errorf("%s: %s: status %d: %s", c.place, what, status, doc)
	}
	if (word == "did not run" || strings.Contains(text, "othing was run")) && c.ran() > 0 {
		c.Errorf("%s: %s, and it ran: %s", c.place, what, doc)
	}
	if s.Error.Details.Retryable && c.ran() > 0 {
		c.Errorf("%s: %s is to be run again, and it ran: %s", c.place, what, doc)
	}
	return word
}

// remote is the options and the script run at the far end: in "far dies in", until the far
// end was killed.
func (c *cutRun) remote() []string {
	text := "echo once >>ran; exit 3"
	if strings.HasPrefix(c.place, "far dies in ") || strings.HasSuffix(c.place, "held") {
		text = `echo once >>ran; echo begun >"$BEGUN"; read -r line <"$GATE"; exit 3`
	}
	if c.place == "far supervisor dies" {
		text = "echo once >>ran; kill -9 $PPID; sleep 60"
	}
	return []string{"--on", "far", "--", "sh", "-c", text}
}

// If any process on the way dies, the command runs at most once, and neither the run nor a
// later verb about jobs reports a command that ran as not run. A start that was reported
// as lost is refused when it arrives. If calls meet different stores, or none, the state
// is unknown.
func TestRunnerCut(t *testing.T) {
	t.Parallel()
	places := []struct {
		place string
		want  string // what is known in the end; "" may be one or the other
		modes string // in which it is a case of each run of the tests
	}{
		{"", "over", ""},
		{"near dies as mark begins", "did not run", "foreground"},
		{"near dies and mark is lost", "not known", ""},
		{"near dies as mark ends", "did not run", ""},
		{"near dies as run begins", "", "submit"}, // the question may come first
		{"near dies and run is lost", "did not run", "submit"},
		{"near dies as run ends", "over", "foreground wait submit"},
		{"near dies and run is late", "did not run", "foreground"},
		{"near dies and run is lost fresh", "not known", ""},
		{"near dies as run ends fresh", "not known", ""},
		{"near dies as rerun begins fresh", "not known", ""},
		{"near dies as rerun ends fresh", "not known", ""},
		{"near dies as rerun ends split", "not known", "foreground"},
		{"near dies and rerun is late split", "not known", ""},
		{" fresh", "over", "foreground"},
		{" split", "over", ""},
		{"mark is lost", "over", ""},
		{"mark is late", "over", ""},
		{"mark has no answer", "over", ""},
		{"run is lost", "did not run", "foreground"},
		{"run is late", "did not run", "submit"},
		{"run has no answer", "over", "wait"},
		{"run has half an answer", "over", ""},
		{"run prints garbage", "over", "foreground"},
		{"run is answered by an old envwrap", "did not run", ""},
		{"all is old", "not known", "foreground"},
		{"run is lost fresh", "not known", ""},
		{"run is late split", "did not run", ""}, // it had no mark
		{"rerun is lost fresh", "not known", ""},
		{"rerun is late fresh", "not known", ""},
		{"rerun has no answer fresh", "not known", "submit"},
		{"rerun is late split", "not known", ""},
		{"rerun has no answer split", "not known", ""},
		{"far dies as run begins", "", "submit"},
		{"far dies in run", "over", "foreground"},
		{"far dies in rerun fresh", "not known", ""},
		{"far supervisor dies", "lost", "foreground"},
	}
	modes := map[string][]string{"foreground": nil, "wait": {"--wait", "1m"}, "submit": {"job", "submit"}}
	for i, p := range places {
		if i%matrix.Every(2) > 0 {
			continue
		}
		for mode, options := range modes {
			if matrix.Whole() || strings.Contains(p.modes, mode) {
				t.Run(p.place+"/"+mode, func(t *testing.T) {
					t.Parallel()
					newCutRun(t, p.place).disturb(mode, options, p.want)
				})
			}
		}
	}
}

// disturb makes a run that is disturbed, and asks later what became of it.
func (c *cutRun) disturb(mode string, options []string, want string) {
	doc, status := c.call(c.place, append(options, c.remote()...)...)
	var words []string
	var s said
	switch {
	case mode == "submit":
		_ = json.Unmarshal([]byte(doc), &s)
		doc, status = c.call(c.place, "job", "wait", s.Data.Job.ID)
		words = append(words, c.check("job wait", doc, status))
	case status >= 0:
		words = append(words, c.check("the run", doc, status))
	default:
		words = append(words, "killed")
	}
	if list, status := c.call("", "job", "ls"); status != 0 || json.Unmarshal([]byte(list), &s) != nil {
		c.Fatalf("%s: job ls: status %d: %s", c.place, status, list)
	}
	rest := ""
	for _, still := range []string{" fresh", " split", "all is old"} {
		if strings.HasSuffix(c.place, still) {
			rest = still
		}
	}
	for _, job := range s.Data.Jobs {
		for _, verb := range []string{"results", "wait"} {
			if verb == "wait" && !matrix.Whole() && words[len(words)-1] != "running" {
				continue // a question whose answer is not known takes two seconds
			}
			doc, status := c.call(rest, "job", verb, job.ID)
			words = append(words, c.check("job "+verb, doc, status))
		}
	}
	if c.arrive() {
		for _, job := range s.Data.Jobs {
			doc, status := c.call(rest, "job", "results", job.ID)
			words = append(words, c.check("job results after all", doc, status))
		}
	}
	last := words[len(words)-1]
	if want != "" && last != want {
		c.Errorf("%s: %s, want %s", c.place, strings.Join(words, ", "), want)
	}
	if n := c.ran(); n > 1 || n == 0 && (want == "over" || want == "lost" || strings.Contains(c.place, "rerun") && !strings.Contains(c.place, "lost")) {
		c.Errorf("%s: it ran %d times", c.place, n)
	}
	if wrong, err := os.ReadFile(filepath.Join(c.dir, "wrong")); err == nil {
		c.Errorf("%s: %s", c.place, wrong)
	}
	c.Logf("%-40s %-10s ran %d  said: %s", c.place, mode, c.ran(), strings.Join(words, ", "))
}

// arrive lets what is late come to the far end, and waits until it is over there. It
// returns false if nothing is late.
func (c *cutRun) arrive() bool {
	if !strings.Contains(c.place, " is late") {
		return false
	}
	late := filepath.Join(c.dir, "late")
	if err := os.WriteFile(late, []byte("go\n"), 0); err != nil {
		c.Fatal(err)
	}
	if _, err := os.ReadFile(late); err != nil {
		c.Fatal(err)
	}
	return true
}

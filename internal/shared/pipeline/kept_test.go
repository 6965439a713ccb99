package pipeline

import (
	"strconv"
	"strings"
	"testing"
)

// Stages are kept unless the text or the environment may show it. What Keep adds is all that
// WithoutOffers takes away, and the start-up file restores the text.
func TestKept(t *testing.T) {
	const claude, codex, gemini = "eval 'make | tail' < /dev/null && pwd -P >| /tmp/cwd",
		"__CODEX_SNAPSHOT_OVERRIDE_SET_0=x\n\nif . '/h/x.sh' >/dev/null 2>&1; then :; fi\n\nexec '/bin/bash' -c 'make | tail'",
		"_bgpids_file=/tmp/b\n(\n  trap 'jobs -p > \"$_bgpids_file\"' EXIT\nmake | tail\n)\n__code=$?\nexit $__code"
	for _, c := range []struct {
		text, env string
		want      int
	}{
		{"make | tail -5", "", 1},
		{"make | tail; seq 4 | sed -n 2p", "", 2},
		{"make | tail -5; ls", "", 1},
		{"make | tail & wait", "", 0},
		{"make | tail; echo ${PIPESTATUS[0]}", "", 0},
		{"a|tail;b|tail;c|tail;d|tail;e|tail;f|tail;g|tail;h|tail;i|tail;j|tail", "", maxKept},
		{"ps | tail", "", 0},
		{"/bin/ps|tail", "", 0},
		{"cat x | tail; (top) | head", "", 0},
		{"a-ps 1ps ps2 psA zps.x _ps | tail", "", 1},
		{"cat() { :; }; make | tail", "", 0},
		{"other() { :; }; make | tail", "", 1},
		{"make | tail", "BASH_ENV=/x", 0},
		{"make | tail", "BASH_ENV=", 1},
		{"make | tail", "BASH_ENV=/x/" + codexStartup, 1},
		{"make | tail", "BASHOPTS=x", 0},
		{"make | tail", "POSIXLY_CORRECT=", 0},
		{"make | tail", "BASH_FUNC_x%%=() { :; }", 0},
		{"make | tail # " + strings.Repeat("x", maxFramed), "", 0},
		{claude, "", 1},
		{codex, "", 1},
		{gemini, "", 1},
	} {
		line, ok := Read([]string{"bash", "-c", c.text}, []string{c.env})
		if !ok || len(line.Kept) != c.want {
			t.Errorf("%.80q, %s: read %t, kept %+v, want %d", c.text, c.env, ok, line, c.want)
			continue
		}
		plain, _ := line.Run("/startup", "/answer")
		for _, dir := range []string{"/it's", "/a b"} {
			if scripts := line.Keep(Keeper{Dir: dir}); scripts != nil {
				t.Errorf("a directory to be quoted: %q", scripts)
			}
		}
		scripts := line.Keep(Keeper{Request: "/request", Answer: func(i int) string { return "/answer" + strconv.Itoa(i) }, Cat: "/bin/cat", Dir: "/dir"})
		for i, s := range scripts {
			if !strings.Contains(s, `"`+strconv.Itoa(i)+` $__envwrap" >/request `) || !strings.HasSuffix(s, " </answer"+strconv.Itoa(i)+"\n") {
				t.Errorf("%.80q: script %d is %q", c.text, i, s)
			}
		}
		argv, _ := line.Run("/startup", "/answer")
		for i := range 2 * maxKept {
			if n := strings.Count(argv[2], KeptFile("/dir", i)+";"); n != 1 && i < c.want || n != 0 && i >= c.want {
				t.Errorf("%.80q: script %d is read %d times in %q", c.text, i, n, argv[2])
			}
		}
		if got := string(WithoutOffers([]byte(argv[2]))); got != plain[2] || len(scripts) != c.want {
			t.Errorf("%.80q: %d scripts; became %q, and without what was added %q", c.text, len(scripts), argv[2], got)
		}
		startup, ok := line.Startup(Answers{}, nil)
		restored := "BASH_EXECUTION_STRING='make | tail'\n" // of the shell that Codex's runs
		if c.text != codex {
			restored = executionString(c.text)
		}
		if !ok || c.want > 0 && !strings.HasPrefix(startup, restored) {
			t.Errorf("%.80q: the start-up file is %q", c.text, startup)
		}
	}
}

// The descriptor of the substitution stays open where the command may have one of its own.
func TestKeptDescriptor(t *testing.T) {
	for text, want := range map[string]bool{
		"make | tail": true, "make | tail -63": false, "cat <(make) | tail": false, "make > >(cat) | tail": false,
	} {
		for _, inherited := range []bool{false, true} {
			line, ok := Read([]string{"bash", "-c", text}, nil)
			if !ok || len(line.Kept) != 1 {
				t.Errorf("%q: %t, %+v", text, ok, line)
				continue
			}
			line.Keep(Keeper{Answer: strconv.Itoa, Dir: "/dir", Inherited: inherited})
			argv, _ := line.Run("", "")
			if got := strings.Contains(argv[2], "63<&- "); got != (want && !inherited) {
				t.Errorf("%q, inherited %t: the descriptor is closed: %t", text, inherited, got)
			}
		}
	}
}

// Text that only begins as an offer does is left as it is, and so is what precedes a whole one.
func TestWithoutOffers(t *testing.T) {
	offered := offer("/dir/kept0", "/bin/cat", true)
	printed := strings.ReplaceAll(offered, "&>/dev/null", "&> /dev/null") // by bash
	for text, want := range map[string]string{
		"make | tail " + offered + "-5": "make | tail -5",
		"make | tail" + printed + "-5":  "make | tail -5",
		offered + "x" + offered + "y":   "xy",
		"x" + offerBegins:               "x" + offerBegins, "x" + offerBegins + offerEnds: "x" + offerBegins + offerEnds,
		offerEnds + ")": offerEnds + ")", "plain": "plain", "__envwrap=1": "__envwrap=1",
	} {
		if got := string(WithoutOffers([]byte(text))); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

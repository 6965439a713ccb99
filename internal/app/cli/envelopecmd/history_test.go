package envelopecmd

import (
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// Command line and status of an adopted envelope are those of its run, wherever they are.
func TestViewRun(t *testing.T) {
	three, none := 3, 0
	const payload = `{"exec":{"argv":["of","payload"],"exit_code":3,"signal":"TERM"}}`
	for name, c := range map[string]struct {
		res    envelope.Result
		argv   string
		status *int
		signal string
	}{
		"a run":                      {envelope.Result{Argv: []string{"own"}, Outcome: envelope.Outcome{ExitCode: &none}}, "own", &none, ""},
		"with a payload":             {envelope.Result{Argv: []string{"own"}, Payload: []byte(payload)}, "own", nil, ""},
		"its run is in the payload":  {envelope.Result{Payload: []byte(payload), Outcome: envelope.Outcome{ExitCode: &none}}, "of", &three, "TERM"},
		"its payload is no object":   {envelope.Result{Payload: []byte(`[]`), Outcome: envelope.Outcome{ExitCode: &none}}, "", &none, ""},
		"its run is beside it":       {envelope.Result{Payload: []byte(payload), Exec: &envelope.Result{Argv: []string{"exec"}, Outcome: envelope.Outcome{Signal: "INT"}}}, "exec", nil, "INT"},
		"its run has no command yet": {envelope.Result{Exec: &envelope.Result{}}, "", nil, ""},
	} {
		v := viewRun(1, &c.res)
		argv := ""
		if len(v.Argv) > 0 {
			argv = v.Argv[0]
		}
		if argv != c.argv || v.Signal != c.signal || (v.ExitCode == nil) != (c.status == nil) || v.ExitCode != nil && *v.ExitCode != *c.status || v.Agent != "unknown" {
			t.Errorf("%s: got %+v", name, v)
		}
	}
	hostile := viewRun(1, &envelope.Result{Argv: []string{"run", "\x1b[2J\a\u202e\x9b"}})
	var list strings.Builder
	runsTable([]runView{hostile}, clitest.Now()).Write(&list, term.Screen{})
	if got := list.String(); term.Visible(strings.TrimSuffix(got, "\n")) != strings.TrimSuffix(got, "\n") {
		t.Errorf("the list has control characters: %q", got)
	}
}

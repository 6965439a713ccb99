//go:build unix

package runcmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope"
)

// A command that was stopped, and that nobody here has canceled, was ended by the engine
// for a reason that it knows.
func TestEngineExplainsStop(t *testing.T) {
	t.Parallel()
	const disrupted = `{"items":[{"kind":"Job","status":{"conditions":[JOB]}},{"kind":"Pod","metadata":{"name":"p"},"status":{"phase":"Failed","conditions":[POD],"containerStatuses":[{"state":{"terminated":{"exitCode":143,"reason":"REASON","startedAt":"2026-11-27T04:53:45Z"}}}]}}]}`
	says := func(job, pod, reason string) string {
		return strings.NewReplacer("JOB", job, "POD", pod, "REASON", reason).Replace(disrupted)
	}
	const failed, evicted = `{"type":"Failed","status":"True","reason":"BackoffLimitExceeded"}`, `{"type":"DisruptionTarget","status":"True","reason":"PreemptionByScheduler"}`
	for name, c := range map[string]struct {
		pods   string
		starts int
		known  bool
		code   envelope.Code
		status int
		retry  bool
		text   string
	}{
		"preempted":         {says(failed, evicted, "Error"), 1, true, envelope.ERUNTIME, 125, true, "PreemptionByScheduler"},
		"starts again":      {says("", evicted, "Error"), 2, false, envelope.ECANCELED, 143, false, ""},
		"does not again":    {says("", evicted, "Error"), 1, true, envelope.ERUNTIME, 125, true, "the engine ended the command"},
		"time limit":        {says(`{"type":"Failed","status":"True","reason":"DeadlineExceeded"}`, "", "Error"), 1, true, envelope.ETIMEOUT, 124, false, "DeadlineExceeded"},
		"memory":            {says(failed, "", "OOMKilled"), 1, true, envelope.ERUNTIME, 125, false, "OOMKilled"},
		"forgotten":         {`{"items":[]}`, 1, true, envelope.ECANCELED, 143, false, ""},
		"not yet over":      {podList("Running", podRuns), 1, false, envelope.ECANCELED, 143, false, ""},
		"cannot be reached": {`nothing`, 1, true, envelope.ECANCELED, 143, false, ""},
	} {
		p := newPodJob(t, nil)
		p.says(t, c.pods, "")
		p.rec.Far.Engine.Starts = c.starts
		res := &envelope.Result{Outcome: envelope.Outcome{Kind: envelope.Canceled, Code: envelope.ECANCELED}, ExitStatus: 143}
		known := p.explainStop(t.Context(), res)
		if o := &res.Outcome; known != c.known || o.Code != c.code || res.ExitStatus != c.status || o.Retryable != c.retry || !strings.Contains(o.Message, c.text) {
			t.Errorf("%s: %t, %d, %+v", name, known, res.ExitStatus, o)
		}
		if !known && p.explainStop(t.Context(), res) {
			t.Errorf("%s: it was known at once", name)
		}
		if err := p.store.AskCancel(p.rec.ID); err != nil {
			t.Fatal(err)
		}
		canceled := &envelope.Result{Outcome: envelope.Outcome{Kind: envelope.Canceled, Code: envelope.ECANCELED}}
		if !p.explainStop(t.Context(), canceled) || canceled.Outcome.Code != envelope.ECANCELED {
			t.Errorf("%s: somebody here has canceled it: %+v", name, canceled.Outcome)
		}
		asked, err := os.ReadFile(filepath.Join(p.dir, "asked"))
		if again := c.retry; again != (err == nil && strings.HasPrefix(string(asked), "delete job")) {
			t.Errorf("%s: what would start nothing is taken away: %q", name, asked)
		}
	}
}

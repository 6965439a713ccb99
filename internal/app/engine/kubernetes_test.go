package engine

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// kubernetesRow returns the engine of [runner.kube] engine = "kubernetes" with values.
func kubernetesRow(t *testing.T, values map[string][]string) *Engine {
	t.Helper()
	if values == nil {
		values = map[string][]string{}
	}
	values["image"] = []string{"img"}
	e, err := New(Settings{Engine: "kubernetes", Values: values})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Parts of what kubectl get jobs,pods -o json printed with an API server, controllers and a
// scheduler of Kubernetes 1.32.4; pods of nodes under pressure are as the documentation of
// its API has them.
const (
	kubeJob       = `{"kind":"Job","metadata":{"name":"n","creationTimestamp":"2026-11-27T04:53:42Z"},"status":{"active":1,"ready":0,"startTime":"2026-11-27T04:53:42Z","terminating":0,"uncountedTerminatedPods":{}}}`
	kubeComplete  = `{"kind":"Job","metadata":{"name":"n"},"status":{"conditions":[{"type":"SuccessCriteriaMet","status":"True","reason":"CompletionsReached"},{"type":"Complete","status":"True","reason":"CompletionsReached"}],"succeeded":1}}`
	kubeFailed    = `{"kind":"Job","metadata":{"name":"n"},"status":{"conditions":[{"type":"FailureTarget","status":"True","reason":"BackoffLimitExceeded"},{"type":"Failed","status":"True","reason":"BackoffLimitExceeded"}],"failed":1}}`
	kubeLate      = `{"kind":"Job","metadata":{"name":"n"},"status":{"conditions":[{"type":"Failed","status":"True","reason":"DeadlineExceeded"}]}}`
	kubeScheduled = `{"type":"PodScheduled","status":"True"}`
	kubeDisrupted = `{"type":"DisruptionTarget","status":"True","reason":"EvictionByEvictionAPI"}`
)

// kubePod returns a pod.
func kubePod(created, phase, reason, conditions, state string) string {
	return `{"kind":"Pod","metadata":{"name":"n-` + created + `","creationTimestamp":"2026-11-27T04:53:4` + created + `Z"},"status":{"phase":"` + phase + `","reason":"` + reason +
		`","conditions":[` + conditions + `],"containerStatuses":[{"name":"envwrap","restartCount":0,"state":{` + state + `}}]}}`
}

// kubeEnded returns the state of a container that has ended.
func kubeEnded(exit, reason string) string {
	return `"terminated":{"exitCode":` + exit + `,"finishedAt":"2026-11-27T04:53:49Z","reason":"` + reason + `","startedAt":"2026-11-27T04:53:45Z"}`
}

func TestKubernetesStatus(t *testing.T) {
	e := kubernetesRow(t, nil)
	at := time.Date(2026, 11, 27, 4, 53, 45, 0, time.UTC)
	runs := `"running":{"startedAt":"2026-11-27T04:53:45Z"}`
	for name, c := range map[string]struct {
		items []string
		want  Status
	}{
		"forgotten":          {nil, Status{State: Absent}},
		"no pod yet":         {[]string{kubeJob}, Status{State: Queued, Word: "Pending"}},
		"waits for a node":   {[]string{kubeJob, kubePod("2", "Pending", "", `{"type":"PodScheduled","status":"False","reason":"Unschedulable"}`, "")}, Status{State: Queued, Word: "Pending: Unschedulable", Unit: "n-2"}},
		"image is pulled":    {[]string{kubeJob, kubePod("2", "Pending", "", kubeScheduled, `"waiting":{"reason":"ContainerCreating"}`)}, Status{State: Queued, Word: "Pending: ContainerCreating", Unit: "n-2"}},
		"no such image":      {[]string{kubeJob, kubePod("2", "Pending", "", kubeScheduled, `"waiting":{"reason":"ImagePullBackOff"}`)}, Status{State: Failed, Word: "ImagePullBackOff", Unit: "n-2"}},
		"no shell in it":     {[]string{kubeFailed, kubePod("2", "Failed", "", kubeScheduled, kubeEnded("128", "StartError"))}, Status{State: Failed, Word: "StartError", Unit: "n-2"}},
		"runs":               {[]string{kubeJob, kubePod("2", "Running", "", kubeScheduled, runs)}, Status{State: Running, Word: "Running", Unit: "n-2", Started: at}},
		"runs, job deleted":  {[]string{kubePod("2", "Running", "", kubeScheduled, runs)}, Status{State: Running, Word: "Running", Unit: "n-2", Started: at}},
		"done":               {[]string{kubeComplete, kubePod("2", "Succeeded", "", kubeScheduled, kubeEnded("0", "Completed"))}, Status{State: Succeeded, Word: "Completed", Unit: "n-2", Started: at, Exited: true}},
		"done, not counted":  {[]string{kubeJob, kubePod("2", "Succeeded", "", kubeScheduled, kubeEnded("0", "Completed"))}, Status{State: Succeeded, Word: "Completed", Unit: "n-2", Started: at, Exited: true}},
		"failed":             {[]string{kubeFailed, kubePod("2", "Failed", "", kubeScheduled, kubeEnded("7", "Error"))}, Status{State: Failed, Word: "Error", Unit: "n-2", Started: at, Exited: true, Exit: 7}},
		"out of memory":      {[]string{kubeFailed, kubePod("2", "Failed", "", kubeScheduled, kubeEnded("137", "OOMKilled"))}, Status{State: Failed, Cause: Memory, Word: "OOMKilled", Unit: "n-2", Started: at, Exited: true, Exit: 137}},
		"too late":           {[]string{kubeLate}, Status{State: Failed, Cause: TimeLimit, Word: "DeadlineExceeded"}},
		"done, pod removed":  {[]string{kubeComplete}, Status{State: Succeeded, Word: "Complete"}},
		"pod was deleted":    {[]string{kubeFailed}, Status{State: Failed, Word: "BackoffLimitExceeded"}},
		"evicted":            {[]string{kubeFailed, kubePod("2", "Failed", "", kubeDisrupted, kubeEnded("143", "Error"))}, Status{State: Preempted, Word: "EvictionByEvictionAPI", Unit: "n-2", Started: at, Exited: true, Exit: 143}},
		"evicted, comes":     {[]string{kubeJob, kubePod("2", "Failed", "", kubeDisrupted, kubeEnded("143", "Error"))}, Status{State: Queued, Word: "EvictionByEvictionAPI"}},
		"evicted, came":      {[]string{kubeJob, kubePod("5", "Pending", "", kubeScheduled, ""), kubePod("2", "Failed", "", kubeDisrupted, kubeEnded("143", "Error"))}, Status{State: Queued, Word: "Pending", Unit: "n-5"}},
		"pressure of a node": {[]string{kubeFailed, kubePod("2", "Failed", "Evicted", "", "")}, Status{State: Preempted, Word: "Evicted", Unit: "n-2"}},
	} {
		out := `{"apiVersion":"v1","kind":"List","items":[` + strings.Join(c.items, ",") + `]}`
		got, err := e.Status(t.Context(), recorded(t, map[string]answer{"kubectl": {out: out}}), &Job{Name: "n"})
		if got != c.want || err != nil {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for name, a := range map[string]answer{
		"no server": {complaint: "The connection to the server 127.0.0.1:16444 was refused - did you specify the right host or port?\n", fails: true},
		"no right":  {complaint: `Error from server (Forbidden): jobs.batch is forbidden: User "u" cannot list resource "jobs"`, fails: true},
		"a banner":  {out: "Welcome to the login node"},
		"cut":       {out: `{"items":[{"kind":"Job"`},
		"no list":   {out: `{"kind":"Status"}`},
		"nothing":   {},
	} {
		if st, err := e.Status(t.Context(), recorded(t, map[string]answer{"kubectl": a}), &Job{Name: "n"}); err == nil {
			t.Errorf("%s: %+v", name, st)
		}
	}
}

// A Job runs its script once, whatever becomes of its pod; with more starts only a pod that
// the cluster has ended is made again.
func TestKubernetesSubmit(t *testing.T) {
	e := kubernetesRow(t, map[string][]string{"namespace": {"ns"}, "context": {"c"}, "extra": {`{"spec":{"template":{"spec":{"nodeSelector":{"gpu":"a100"},"containers":{"env":[{"name":"A","value":"b"}]}}}}}`, `{"spec":{"ttlSecondsAfterFinished":null}}`}})
	e, err := e.With([]string{"cpus=2", "memory=1Gi", "gpus=1"})
	if err != nil {
		t.Fatal(err)
	}
	for starts, want := range map[int]string{
		1: `{"backoffLimit":0,"template":`,
		2: `{"backoffLimit":1,"podFailurePolicy":{"rules":[{"action":"Count","onPodConditions":[{"type":"DisruptionTarget"}]},{"action":"FailJob","onExitCodes":{"operator":"NotIn","values":[0]}}]},"template":`,
	} {
		var line []string
		var input string
		id, err := e.Submit(t.Context(), func(_ context.Context, l []string, in string) (string, string, error) {
			line, input = l, in
			return "job.batch/envwrap-01\n", "", nil
		}, &Job{Name: "envwrap-01", Text: "echo \"it's\"\n", Starts: starts})
		if id != "job.batch/envwrap-01" || err != nil || strings.Join(line, " ") != "kubectl --context=c --namespace=ns create --filename=- --output=name" {
			t.Errorf("%q, %v, %q", id, err, line)
		}
		want = `{"apiVersion":"batch/v1","kind":"Job","metadata":{"labels":{"envwrap":"envwrap-01"},"name":"envwrap-01"},"spec":` + want +
			`{"metadata":{"labels":{"envwrap":"envwrap-01"}},"spec":{"containers":[{"command":["sh","-c","echo \"it's\"\n"],"env":[{"name":"A","value":"b"}],"image":"img","name":"envwrap",` +
			`"resources":{"limits":{"cpu":"2","memory":"1Gi","nvidia.com/gpu":"1"}}}],"nodeSelector":{"gpu":"a100"},"restartPolicy":"Never","terminationGracePeriodSeconds":3}}}}`
		if input != want || !json.Valid([]byte(input)) {
			t.Errorf("%s\nwant %s", input, want)
		}
	}
}

// Whether a create that failed can still make a job.
func TestKubernetesRejects(t *testing.T) {
	e := kubernetesRow(t, nil)
	for complaint, want := range map[string]bool{
		`Error from server (NotFound): error when creating "STDIN": namespaces "nowhere" not found`:                                                        true,
		`Error from server (Forbidden): error when creating "STDIN": jobs.batch is forbidden: User "u" cannot create resource "jobs"`:                      true,
		`The Job "n" is invalid: spec.template.spec.containers[0].resources.limits: Invalid value`:                                                         true,
		`error: error validating "STDIN": error validating data: failed to download openapi: dial tcp 127.0.0.1:16444: connect: connection refused`:        true,
		`Error from server (Timeout): error when creating "STDIN": Timeout: request did not complete within requested timeout - context deadline exceeded`: false,
		`Error from server (AlreadyExists): error when creating "STDIN": jobs.batch "n" already exists`:                                                    false,
		`Unable to connect to the server: net/http: request canceled (Client.Timeout exceeded while awaiting headers)`:                                     false,
		``: false,
	} {
		_, err := e.Submit(t.Context(), recorded(t, map[string]answer{"kubectl": {complaint: complaint, fails: true}}), &Job{Name: "n"})
		if err == nil || errors.Is(err, ErrRejected) != want {
			t.Errorf("%q: %v", complaint, err)
		}
	}
}

// A running command is asked to end, so that its log stays; what goes on is forgotten.
func TestKubernetesStop(t *testing.T) {
	e := kubernetesRow(t, nil)
	var lines []string
	no := func(_ context.Context, line []string, _ string) (string, string, error) {
		lines = append(lines, strings.Join(line[1:], " "))
		return "", `error: unable to upgrade connection: container not found ("envwrap")`, &exec.ExitError{}
	}
	var err error
	for step, more := 0, true; more; step++ {
		if more, err = e.Stop(t.Context(), no, &Job{Name: "n"}, step); more && err != nil {
			t.Error("a step that fails is followed by a harder one:", err)
		}
	}
	if err == nil || len(lines) != 3 || !slices.Contains(strings.Fields(lines[1]), "--wait=false") || !strings.Contains(lines[2], "--grace-period=0") {
		t.Errorf("%q, %v", lines, err)
	}
	if logs := e.Logs(&Job{Unit: "n-2"}, true); !slices.Equal(logs, []string{"kubectl", "logs", "--follow", "n-2"}) {
		t.Errorf("%q", logs)
	}
}

func TestKubernetesRefuses(t *testing.T) {
	for want, values := range map[string]map[string][]string{
		"image is missing":          {"namespace": {"x"}},
		`extra: "nodeSelector" is`:  {"image": {"x"}, "extra": {"nodeSelector"}},
		`extra: "null" is`:          {"image": {"x"}, "extra": {"null"}},
		`extra: "{\"a\":1e999}" is`: {"image": {"x"}, "extra": {`{"a":1e999}`}},
		`unknown key "partition": `: {"image": {"x"}, "partition": {"x"}},
	} {
		if _, err := New(Settings{Engine: "kubernetes", Values: values}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}

// A group is an Indexed Job, whose members fail alone.
func TestKubernetesGroup(t *testing.T) {
	e := kubernetesRow(t, nil)
	var spec string
	call := func(_ context.Context, _ []string, input string) (string, string, error) {
		spec = input
		return "job.batch/n\n", "", nil
	}
	if _, err := e.Submit(t.Context(), call, &Job{Name: "n", Array: "1-9%2", Members: 9, Parallel: 2, Starts: 3}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"completionMode":"Indexed"`, `"completions":9`, `"parallelism":2`, `"backoffLimitPerIndex":2`, `"action":"FailIndex"`} {
		if !strings.Contains(spec, want) || strings.Contains(spec, `"backoffLimit":`) {
			t.Errorf("%s: %s", want, spec)
		}
	}
	for job, want := range map[string]State{
		`{}`:           Queued,
		`{"active":2}`: Running,
		`{"conditions":[{"type":"Suspended","status":"True"}]}`:                              Failed,
		`{"conditions":[{"type":"Failed","status":"True","reason":"FailedIndexes"}]}`:        Failed,
		`{"conditions":[{"type":"Complete","status":"True","reason":"CompletionsReached"}]}`: Succeeded,
	} {
		out := `{"items":[{"kind":"Job","spec":{"completionMode":"Indexed"},"status":` + job + `}]}`
		if got, err := e.Status(t.Context(), recorded(t, map[string]answer{"kubectl": {out: out}}), &Job{Name: "n", Array: "1-9"}); err != nil || got.State != want {
			t.Errorf("%s: %+v, %v", job, got, err)
		}
	}
	pods, err := e.Pods(t.Context(), recorded(t, map[string]answer{"kubectl": {out: "0|a|Succeeded|0|2026-11-27T04:53:45Z|\n1|b|Failed|7|2026-11-27T04:53:45Z|False\n2|c|Running||2026-11-27T04:53:45Z|\n3|d|Pending|||\n4|e|Failed|137|2026-11-27T04:53:45Z|True\n4|f|Succeeded|0|2026-11-27T04:53:46Z|\n|x|\n"}}), &Job{Name: "n"})
	at := time.Date(2026, 11, 27, 4, 53, 45, 0, time.UTC)
	want := map[int]Pod{0: {"a", 0, at, true, 0}, 1: {"b", 1, at, true, 7}, 2: {"c", 2, at, false, 0}, 4: {"f", 4, at.Add(time.Second), true, 0}}
	if err != nil || !maps.Equal(pods, want) {
		t.Errorf("%+v, %v", pods, err)
	}
}

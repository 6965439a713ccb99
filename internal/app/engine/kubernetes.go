package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// kubernetes returns the engine Kubernetes (kubectl(1) 1.32, the API group batch/v1). A job
// is a Job with one pod, which has no file of this machine: the script is part of the Job,
// and what it prints is the pod's log. A Job has the unique name of its run, so that a
// second create of it fails.
func kubernetes() *kind {
	return &kind{
		name:     "kubernetes",
		words:    []string{"image", "namespace", "context", "cpus", "memory", "gpus"},
		lists:    []string{"extra"},
		needs:    []string{"image"},
		extra:    checkPatches,
		commands: kubernetesCommands,
	}
}

// kubernetesLabel is the label that a Job and its pods have, with the unique name.
const kubernetesLabel = "envwrap"

func kubernetesCommands(e *Engine) commands {
	kubectl := func(words ...string) []string {
		line := []string{"kubectl"}
		for _, key := range []string{"context", "namespace"} {
			if value := e.words[key]; value != "" {
				line = append(line, "--"+key+"="+value)
			}
		}
		return append(line, words...)
	}
	return commands{
		submit: kubectl("create", "--filename=-", "--output=name"),
		input:  e.manifest,
		status: [][]string{kubectl("get", "jobs,pods", "--selector="+kubernetesLabel+"={name}", "--output=json")},
		parse:  parsePods,
		find:   [][]string{kubectl("get", "job", "{name}", "--ignore-not-found", "--output=name")},
		cancel: kubectl("delete", "job", "{name}", "--ignore-not-found", "--wait=false", "--cascade=background"),
		// A TERM to the first process leaves the pod, with its log and its status. A pod that
		// does not end is forgotten without a grace period.
		stop: [][]string{
			kubectl("exec", "job/{name}", "--", "sh", "-c", "kill -TERM 1"),
			kubectl("delete", "job", "{name}", "--ignore-not-found", "--wait=false", "--cascade=background"),
			kubectl("delete", "pods", "--selector="+kubernetesLabel+"={name}", "--wait=false", "--grace-period=0", "--force"),
		},
		forget:  kubectl("delete", "job", "{name}", "--ignore-not-found", "--wait=false", "--cascade=background"),
		task:    "JOB_COMPLETION_INDEX",
		members: [][]string{kubectl("get", "jobs", "--selector="+kubernetesLabel+"={name}", "--output=json")},
		pods:    kubectl("get", "pods", "--selector="+kubernetesLabel+"={name}", "--sort-by=.metadata.creationTimestamp", "--output=jsonpath="+podLines),
		// A Job that is suspended keeps the pods that have ended, and ends the others.
		end: [][]string{
			kubectl("patch", "job", "{name}", "--patch", `{"spec":{"suspend":true}}`),
			kubectl("delete", "pods", "--selector="+kubernetesLabel+"={name}", "--field-selector=status.phase=Running", "--wait=false", "--grace-period=0", "--force"),
		},
		logs:    kubectl("logs", "{unit}"),
		follow:  kubectl("logs", "--follow", "{unit}"),
		rejects: []string{"(Forbidden)", "(Invalid)", "(BadRequest)", "(NotFound)", "(Unauthorized)", "is invalid", "was refused", "error: "},
	}
}

// podLines is the template of the lines that [Engine.Pods] reads.
const podLines = `{range .items[*]}{.metadata.annotations.batch\.kubernetes\.io/job-completion-index}|{.metadata.name}|{.status.phase}|` +
	`{.status.containerStatuses[*].state.terminated.exitCode}|{.status.containerStatuses[*].state.running.startedAt}{.status.containerStatuses[*].state.terminated.startedAt}|{.status.conditions[?(@.type=="DisruptionTarget")].status}{"\n"}{end}`

// A Pod is what ran a member of a group, the last of its index.
type Pod struct {
	Name    string
	Index   int       // from 0
	Started time.Time // zero if it was not started
	Exited  bool      // the command has ended, with the status Exit
	Exit    int
}

// Pods returns the pods of a group that were started, by their index. Pods that the cluster
// has ended are left out: the Job makes others, or counts their members as failed.
func (e *Engine) Pods(ctx context.Context, call Caller, j *Job) (map[int]Pod, error) {
	line := j.fill(e.kind.commands(e).pods)
	out, complaint, err := call(ctx, line, "")
	if err != nil {
		return nil, failure(line, complaint, err)
	}
	pods := map[int]Pod{}
	for text := range strings.Lines(out) {
		f := strings.Split(strings.TrimSuffix(text, "\n"), "|")
		index, err := strconv.Atoi(f[0])
		if err != nil || len(f) != 6 {
			continue
		}
		p := Pod{Name: f[1], Index: index}
		if p.Started, err = time.Parse(time.RFC3339, f[4]); err != nil || f[5] == "True" {
			continue
		}
		if p.Exit, err = strconv.Atoi(f[3]); err == nil && (f[2] == "Succeeded" || f[2] == "Failed") {
			p.Exited = true
		}
		pods[index] = p
	}
	return pods, nil
}

// kubernetesKept is how long a Job that has ended is kept unless envwrap removes it: a week.
const kubernetesKept = 7 * 24 * time.Hour

// An object is one of JSON.
type object = map[string]any

// manifest returns the Job of a run. It starts a pod again only if the pod was evicted or
// preempted, and only if the job may be started again: the exit status of the command is
// final.
func (e *Engine) manifest(j *Job) string {
	limits := object{}
	for word, resource := range map[string]string{"cpus": "cpu", "memory": "memory", "gpus": "nvidia.com/gpu"} {
		if value := e.words[word]; value != "" {
			limits[resource] = value
		}
	}
	labels := object{kubernetesLabel: j.Name}
	spec := object{
		"backoffLimit": max(j.Starts, 1) - 1, "ttlSecondsAfterFinished": int(kubernetesKept.Seconds()),
		"template": object{"metadata": object{"labels": labels}, "spec": object{
			"restartPolicy": "Never", "terminationGracePeriodSeconds": 3,
			"containers": []any{object{"name": kubernetesLabel, "image": e.words["image"], "command": []any{"sh", "-c", j.Text}, "resources": object{"limits": limits}}},
		}},
	}
	if j.Starts > 1 {
		spec["podFailurePolicy"] = object{"rules": []any{
			object{"action": "Count", "onPodConditions": []any{object{"type": "DisruptionTarget"}}},
			object{"action": map[bool]string{true: "FailIndex", false: "FailJob"}[j.Members > 0], "onExitCodes": object{"operator": "NotIn", "values": []any{0}}},
		}}
	}
	if j.Members > 0 {
		// A member that fails, fails alone.
		delete(spec, "backoffLimit")
		spec["completionMode"], spec["completions"], spec["parallelism"], spec["backoffLimitPerIndex"] = "Indexed", j.Members, j.Parallel, max(j.Starts, 1)-1
	}
	var doc any = object{"apiVersion": "batch/v1", "kind": "Job", "metadata": object{"name": j.Name, "labels": labels}, "spec": spec}
	for _, text := range e.extra {
		var patch any
		_ = json.Unmarshal([]byte(text), &patch) // checkPatches has read it
		doc = mergePatch(doc, patch)
	}
	data, _ := json.Marshal(doc) // maps and lists of strings and numbers
	return string(data)
}

// checkPatches returns an error unless each text is a JSON object.
func checkPatches(texts []string) error {
	for _, text := range texts {
		var patch object
		if err := json.Unmarshal([]byte(text), &patch); err != nil || patch == nil {
			return fmt.Errorf(`%q is no JSON object that is merged into the Job, as in {"spec":{"template":{"spec":{"nodeSelector":{"gpu":"a100"}}}}}`, text)
		}
	}
	return nil
}

// mergePatch changes a value by a merge patch (RFC 7386). An object that meets a list
// changes its first element, such as the container of a pod.
func mergePatch(to, patch any) any {
	changes, ok := patch.(object)
	if !ok {
		return patch
	}
	if list, ok := to.([]any); ok && len(list) > 0 {
		return append([]any{mergePatch(list[0], patch)}, list[1:]...)
	}
	target, ok := to.(object)
	if !ok {
		target = object{}
	}
	for key, value := range changes {
		if value == nil {
			delete(target, key)
		} else {
			target[key] = mergePatch(target[key], value)
		}
	}
	return target
}

// A kubeObject has the members of a Job or a pod that this package reads.
type kubeObject struct {
	Kind     string
	Metadata struct {
		Name                                 string
		CreationTimestamp, DeletionTimestamp time.Time
	}
	Spec   struct{ CompletionMode string } // of a Job
	Status struct {
		Active            int    // pods of a Job
		Phase, Reason     string // of a pod
		Conditions        []struct{ Type, Status, Reason string }
		ContainerStatuses []struct {
			State struct {
				Waiting    *struct{ Reason string }
				Running    *struct{ StartedAt time.Time }
				Terminated *struct {
					ExitCode              int
					Reason                string
					StartedAt, FinishedAt time.Time
				}
			}
		}
	}
}

// condition returns the reason of a condition that holds, which is "true" if it has none.
func (o *kubeObject) condition(name string) string {
	for _, c := range o.Status.Conditions {
		if c.Type == name && c.Status == "True" {
			return cmp.Or(c.Reason, "true")
		}
	}
	return ""
}

// Words of pods. A container with one of neverStarts does not start by itself, and with one of
// impossible no other does; one that
// ended with one of notStarted did not start its command.
const (
	neverStarts = " ImagePullBackOff InvalidImageName ErrImageNeverPull CreateContainerConfigError CreateContainerError "
	impossible  = " InvalidImageName ErrImageNeverPull "
	notStarted  = " StartError ContainerCannotRun "
	disrupted   = " Evicted Preempting NodeShutdown Terminated NodeLost "
)

// parsePods reads a Job and its pods. The last pod decides, while there is one: a Job
// whose pods were removed has but a word.
func parsePods(out string) Status {
	var list struct{ Items []kubeObject }
	_ = json.Unmarshal([]byte(out), &list) // isList has asked
	var job, pod *kubeObject
	for i := range list.Items {
		switch o := &list.Items[i]; {
		case o.Kind == "Job":
			job = o
		case pod == nil || o.Metadata.CreationTimestamp.After(pod.Metadata.CreationTimestamp):
			pod = o
		}
	}
	var st Status
	switch {
	case pod != nil:
		st = pod.podStatus()
	case job != nil:
		st = Status{State: Queued, Word: "Pending"}
		if indexed := job.Spec.CompletionMode == "Indexed"; indexed && job.condition("Suspended") != "" {
			return Status{State: Failed, Word: "Suspended"}
		} else if indexed && job.Status.Active > 0 {
			st = Status{State: Running, Word: "Active"}
		}
	default:
		return st
	}
	if job == nil {
		return st
	}
	failed := job.condition("Failed")
	if failed == "DeadlineExceeded" {
		st.State, st.Cause, st.Word = Failed, TimeLimit, failed
	}
	switch over := failed != "" || job.condition("Complete") != ""; {
	case pod == nil && over:
		st = Status{State: Failed, Cause: st.Cause, Word: cmp.Or(failed, "Complete")}
		if failed == "" {
			st.State = Succeeded
		}
	case st.State == Preempted && !over: // the Job makes another pod, or is about to fail
		st = Status{State: Queued, Word: st.Word}
	}
	return st
}

// podStatus reads one pod.
func (o *kubeObject) podStatus() Status {
	st := Status{State: Queued, Word: cmp.Or(o.Status.Reason, o.Status.Phase), Unit: o.Metadata.Name}
	if o.Status.Phase == "Failed" {
		st.State = Failed
	}
	for _, c := range o.Status.Conditions {
		if c.Type == "PodScheduled" && c.Status == "False" && c.Reason != "" {
			st.Word += ": " + c.Reason
		}
	}
	for _, c := range slices.Concat(o.Status.ContainerStatuses) {
		switch s := &c.State; {
		case s.Waiting != nil && strings.Contains(neverStarts, " "+s.Waiting.Reason+" "):
			st.State, st.Word = Failed, s.Waiting.Reason
			if strings.Contains(impossible, " "+s.Waiting.Reason+" ") {
				st.Cause = Impossible
			}
		case s.Waiting != nil && s.Waiting.Reason != "":
			st.Word += ": " + s.Waiting.Reason
		case s.Running != nil:
			st.State, st.Started = Running, s.Running.StartedAt
		case s.Terminated != nil && strings.Contains(notStarted, " "+s.Terminated.Reason+" "):
			st.State, st.Word = Failed, s.Terminated.Reason
		case s.Terminated != nil:
			st.State, st.Word = Failed, cmp.Or(o.Status.Reason, s.Terminated.Reason, o.Status.Phase)
			st.Started, st.Exited, st.Exit = s.Terminated.StartedAt, true, s.Terminated.ExitCode
			if st.Exit == 0 {
				st.State = Succeeded
			}
			if s.Terminated.Reason == "OOMKilled" {
				st.Cause = Memory
			}
		}
	}
	why := o.condition("DisruptionTarget")
	if st.State == Failed && (why != "" || strings.Contains(disrupted, " "+o.Status.Reason+" ")) {
		st.State, st.Word = Preempted, cmp.Or(o.Status.Reason, why)
	}
	if o.Status.Reason == "DeadlineExceeded" {
		st.Cause = TimeLimit
	}
	return st
}

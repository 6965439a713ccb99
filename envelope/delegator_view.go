package envelope

import (
	"github.com/envwrap/envwrap/envelope/internal/delegator"
	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// A delegatorView is a view with what a delegator document has to know of the record.
type delegatorView struct {
	*view
	category delegator.Category // of the tool that answers
	task     bool               // the record is the run of a job of ours
	state    delegator.State    // how the run ended
}

func newDelegatorView(v *view) *delegatorView {
	return &delegatorView{view: v, category: delegatorCategory(v.Result), task: wire.IsULID(v.JobID) && v.ran() != nil, state: taskState(&v.Outcome)}
}

// delegatorCategory returns the category of the tool that answers: of the tools of jobs the
// one that the answer is of, and of a run, or where there is no answer, what the
// record says.
func delegatorCategory(r *Result) delegator.Category {
	switch {
	case r.Jobs != nil && (r.Category == "" || r.Outcome.OK() && !r.Jobs.unfinished()):
		return r.Jobs.category()
	case r.Category != "":
		return delegator.Category(r.Category)
	}
	return delegator.WaitResult
}

// category returns the category of the tool that gives such an answer, by "Tool-to-Category
// Mapping".
func (j *Jobs) category() delegator.Category {
	switch j.Kind {
	case JobsSubmit:
		return delegator.ExecutionAck
	case JobsCancel, JobsList, JobsCleanup:
		return delegator.RegistryInfo
	}
	return delegator.StatusSnapshot
}

// taskState returns how a run ended, as "State Values" has it.
func taskState(o *Outcome) delegator.State {
	switch {
	case o.OK():
		return delegator.TaskCompleted
	case o.Kind == Timeout:
		return delegator.TaskTimeout
	case o.Kind == Canceled:
		return delegator.TaskCancelled
	}
	return delegator.TaskFailed
}

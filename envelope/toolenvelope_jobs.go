package envelope

import (
	"fmt"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// shownJobs is how many jobs the markdown tells of.
const shownJobs = 20

// jobLines say for people what an answer about jobs says.
func (v *view) jobLines() []string {
	j := v.Jobs
	var parts []string
	switch one := j.one(); {
	case one != nil:
		parts = append(parts, one.sentence())
	case j.Cleanup != nil:
		parts = append(parts, j.Cleanup.report().Summary+".")
	default:
		parts = append(parts, fmt.Sprintf("%s, %d waiting, %d over.", runningJobs(j.Counts.Running), j.Counts.Queued, j.Counts.Ended))
	}
	if j.All {
		var lines []string
		last := j.List[max(0, len(j.List)-shownJobs):]
		for i := range last {
			lines = append(lines, "- "+last[i].sentence())
		}
		if lines != nil {
			parts = append(parts, strings.Join(lines, "\n"))
		}
	}
	for _, s := range []*Stream{j.Stderr, j.Stdout} {
		if text := v.shownText(s); text != "" {
			fence := fenceFor(text)
			parts = append(parts, fence+"\n"+text+"\n"+fence)
		}
	}
	if j.Next != "" {
		parts = append(parts, "Next: `"+strings.ReplaceAll(oneLine(j.Next), "`", "'")+"`")
	}
	return parts
}

func runningJobs(n int) string {
	if n == 1 {
		return "1 job running"
	}
	return fmt.Sprintf("%d jobs running", n)
}

// sentence says how a job stands.
func (j *Job) sentence() string {
	name := j.ID
	if len(j.Argv) > 0 {
		name += " (" + strings.ReplaceAll(wire.Shorten(oneLine(baseName(j.Argv[0])), 64), "`", "'") + ")"
	}
	after := " after " + spokenSeconds(seconds(j.Elapsed))
	switch {
	case j.State == JobQueued && j.Position != nil:
		return fmt.Sprintf("%s waits at place %d.", name, *j.Position)
	case j.State == JobQueued:
		return name + " waits."
	case j.State == JobRunning:
		return name + " runs, for " + spokenSeconds(seconds(j.Elapsed)) + " so far."
	case j.State == JobOK && j.ExitCode != nil:
		return fmt.Sprintf("%s ended with status %d%s.", name, *j.ExitCode, after)
	case j.State == JobOK:
		return name + " ended" + after + "."
	case j.State == JobCanceled:
		return name + " was canceled" + after + "."
	case j.State == JobLost:
		return name + " was lost: nobody saw how it ended."
	case j.Code != "":
		return fmt.Sprintf("%s failed%s (%s).", name, after, wire.Shorten(oneLine(string(j.Code)), nameMax))
	}
	return name + " failed" + after + "."
}

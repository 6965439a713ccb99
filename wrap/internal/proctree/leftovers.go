package proctree

import "time"

// leftoverPoll is how often Leftovers looks whether all of them have ended.
const leftoverPoll = 5 * time.Millisecond

// Leftovers returns processes that outlived the child, 20 at the most. It waits until a
// time for them to end by themselves, since many have only not come to their end yet, such
// as the last stage of a pipeline that nobody waits for. If there are none it does not
// wait.
func (f *Tree) Leftovers(until time.Time) []Process {
	left := f.leftovers()
	if len(left) == 0 || !time.Now().Before(until) {
		return left
	}
	poll := time.NewTicker(leftoverPoll)
	defer poll.Stop()
	for time.Now().Before(until) {
		<-poll.C
		if !f.outlived() {
			return nil
		}
	}
	return f.leftovers()
}

package job

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// A process is signalled only where it is surely the one that was recorded, and
// taken for dead only where it surely was one of here.
func TestWhichProcessIsMeant(t *testing.T) {
	read, write, err := os.Pipe()
	check(t, err)
	defer write.Close()
	cmd := exec.Command("cat")
	cmd.Stdin = read
	check(t, cmd.Start(), read.Close())
	p := identify(cmd.Process.Pid)
	with := func(change func(*Process)) Process {
		other := p
		change(&other)
		return other
	}
	for name, row := range map[string]struct {
		p                                 Process
		alive, mayKill, unreachable, dead bool
	}{
		"as it is":                   {p, true, true, false, false},
		"of no known namespace":      {with(func(p *Process) { p.Space = "" }), true, true, false, false},
		"of another namespace":       {with(func(p *Process) { p.Space = "pid:[1]" }), false, false, true, false},
		"of another boot":            {with(func(p *Process) { p.Boot = "x" }), false, false, false, false},
		"that has started later":     {with(func(p *Process) { p.Started += "1" }), false, false, false, true},
		"of no known start":          {with(func(p *Process) { p.Started = "" }), false, false, true, false},
		"none":                       {Process{}, false, false, false, false},
		"the first of all":           {identify(1), false, false, true, false},
		"this one":                   {identify(os.Getpid()), os.Getpid() > 1, false, true, false},
		"one with an id of nobody's": {with(func(p *Process) { p.PID = 1<<22 + 1 }), false, false, false, true},
	} {
		if row.p.PID == 1 && !isSelfOrAncestor(1) {
			continue // in a namespace whose first process is not above us
		}
		if row.p.alive() != row.alive || row.p.mayKill() != row.mayKill || row.p.unreachable() != row.unreachable || row.p.dead() != row.dead {
			t.Errorf("%s: alive %t, mayKill %t, unreachable %t, dead %t", name, row.p.alive(), row.p.mayKill(), row.p.unreachable(), row.p.dead())
		}
		if got := row.p.signal(0); got != row.mayKill {
			t.Errorf("%s: signalled %t", name, got)
		}
		if row.p.supervises() || row.p.interrupt() {
			t.Errorf("%s: it is taken for a supervisor", name)
		}
		row.p.kill() // none is
	}
	check(t, write.Close(), cmd.Wait())
	if !p.dead() || p.alive() || p.signal(syscall.SIGTERM) {
		t.Errorf("after its end: dead %t, alive %t", p.dead(), p.alive())
	}
}

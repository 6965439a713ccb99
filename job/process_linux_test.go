package job

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// A process gets signals only if the record identifies it in full, and counts as dead only
// if it would be seen if it lived.
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
		"as recorded":                {p, true, true, false, false},
		"of no known namespace":      {with(func(p *Process) { p.Space = "" }), true, true, false, false},
		"of another namespace":       {with(func(p *Process) { p.Space = "pid:[1]" }), false, false, true, false},
		"of another namespace, gone": {with(func(p *Process) { p.PID, p.Space = 1<<30, "pid:[1]" }), false, false, true, false},
		"of no namespace, gone":      {with(func(p *Process) { p.PID, p.Space = 1<<30, "" }), false, false, false, false},
		"of another boot":            {with(func(p *Process) { p.Boot = "x" }), false, false, false, false},
		"of another boot, gone":      {with(func(p *Process) { p.PID, p.Boot = 1<<30, "x" }), false, false, false, false},
		"of no boot":                 {with(func(p *Process) { p.Boot = "" }), false, false, false, false},
		"that has started later":     {with(func(p *Process) { p.Started += "1" }), false, false, false, true},
		"of no known start":          {with(func(p *Process) { p.Started = "" }), false, false, true, false},
		"an id alone":                {Process{PID: p.PID}, false, false, true, false},
		"a negative id":              {with(func(p *Process) { p.PID = -p.PID }), false, false, false, false},
		"all processes":              {with(func(p *Process) { p.PID = -1 }), false, false, false, false},
		"none":                       {Process{}, false, false, false, false},
		"the first of all":           {identify(1), false, false, true, false},
		"this one":                   {identify(os.Getpid()), os.Getpid() > 1, false, true, false},
		"the parent of this one":     {identify(os.Getppid()), os.Getppid() > 1, false, os.Getppid() > 0, false},
		"one with an id of nobody's": {with(func(p *Process) { p.PID = 1<<22 + 1 }), false, false, false, true},
	} {
		if row.p.PID == 1 && !isSelfOrAncestor(1) {
			continue // in a namespace whose first process is not above us
		}
		if row.p.alive() != row.alive || row.p.mayKill() != row.mayKill || row.p.unreachable() != row.unreachable || row.p.dead() != row.dead {
			t.Errorf("%s: alive %t, mayKill %t, unreachable %t, dead %t", name, row.p.alive(), row.p.mayKill(), row.p.unreachable(), row.p.dead())
		}
		if row.p.supervises() {
			t.Errorf("%s: it is taken for a supervisor", name)
		}
		if row.p.PID < 0 {
			continue // a fault would end many processes
		}
		if got := row.p.signal(0); got != row.mayKill {
			t.Errorf("%s: signalled %t", name, got)
		}
		if row.p.interrupt() {
			t.Errorf("%s: it was interrupted", name)
		}
		row.p.kill() // none is
	}
	check(t, write.Close(), cmd.Wait())
	if !p.dead() || p.alive() || p.signal(syscall.SIGTERM) {
		t.Errorf("after its end: dead %t, alive %t", p.dead(), p.alive())
	}
}

// Only the group that a process leads is killed.
func TestKillGroup(t *testing.T) {
	start := func(group int) (*exec.Cmd, func() error) {
		cmd := exec.Command("cat")
		stdin, err := cmd.StdinPipe()
		check(t, err)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: group}
		check(t, cmd.Start())
		return cmd, stdin.Close
	}
	leader, end := start(0)
	member, _ := start(leader.Process.Pid)
	killGroup(member.Process.Pid)
	check(t, end())
	if err := leader.Wait(); err != nil {
		t.Errorf("the leader of a member's group: %v", err)
	}
	killGroup(leader.Process.Pid) // it is gone
	check(t, member.Process.Kill())
	_ = member.Wait()
	leader, end = start(0)
	defer end()
	killGroup(leader.Process.Pid)
	if err := leader.Wait(); err == nil {
		t.Error("a leader lives on")
	}
}

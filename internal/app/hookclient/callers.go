package hookclient

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/platform/proc"
)

// maxCallers bounds how many processes above this one are looked at.
const maxCallers = 64

// Callers returns the command lines of this process's ancestors, the nearest first, and
// false if one of them cannot be read.
func Callers() (lines []string, ok bool) {
	look := readProcess
	if runtime.GOOS != "linux" {
		look = listProcesses()
	}
	pid := os.Getppid()
	for range maxCallers {
		if pid <= 0 {
			return lines, true
		}
		p, ok := look(pid)
		if !ok {
			return nil, false
		}
		lines, pid = append(lines, p.line), p.parent
	}
	return nil, false
}

// A process has a parent and a command line.
type process struct {
	parent int
	line   string
}

func readProcess(pid int) (p process, ok bool) {
	line, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	stat, ok := proc.ReadStat(pid)
	return process{stat.Parent, strings.ReplaceAll(string(line), "\x00", " ")}, ok && err == nil
}

// listProcesses asks ps, where processes are in no file system.
func listProcesses() func(pid int) (process, bool) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	out, _ := exec.CommandContext(ctx, "/bin/ps", "-axww", "-o", "pid=,ppid=,args=").Output()
	all := map[int]process{}
	for row := range strings.Lines(string(out)) {
		fields := strings.Fields(row)
		if len(fields) < 3 {
			continue
		}
		pid, err1 := strconv.Atoi(fields[0])
		parent, err2 := strconv.Atoi(fields[1])
		if err1 == nil && err2 == nil {
			all[pid] = process{parent, strings.Join(fields[2:], " ")}
		}
	}
	return func(pid int) (process, bool) {
		p, ok := all[pid]
		return p, ok
	}
}

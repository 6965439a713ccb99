package hookclient

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// maxCallers bounds how many processes above this one are looked at.
const maxCallers = 64

// Callers returns the command lines of the processes above this one, the
// nearest first. It reports false where one of them cannot be read.
func Callers() (lines []string, ok bool) {
	if runtime.GOOS != "linux" {
		return callersByPS()
	}
	pid := os.Getppid()
	for range maxCallers {
		if pid <= 0 {
			return lines, true
		}
		dir := "/proc/" + strconv.Itoa(pid)
		line, err := os.ReadFile(dir + "/cmdline")
		if err != nil {
			return nil, false
		}
		lines = append(lines, strings.ReplaceAll(string(line), "\x00", " "))
		stat, err := os.ReadFile(dir + "/stat")
		if err != nil {
			return nil, false
		}
		// After the name, which may have any bytes: state, parent.
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if len(fields) < 2 {
			return nil, false
		}
		if pid, err = strconv.Atoi(fields[1]); err != nil {
			return nil, false
		}
	}
	return nil, false
}

// callersByPS asks ps, where processes are in no file system.
func callersByPS() (lines []string, ok bool) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "/bin/ps", "-axww", "-o", "pid=,ppid=,args=").Output()
	if err != nil {
		return nil, false
	}
	parent, line := map[int]int{}, map[int]string{}
	for row := range strings.Lines(string(out)) {
		fields := strings.Fields(row)
		if len(fields) < 3 {
			continue
		}
		pid, err1 := strconv.Atoi(fields[0])
		ppid, err2 := strconv.Atoi(fields[1])
		if err1 == nil && err2 == nil {
			parent[pid], line[pid] = ppid, strings.Join(fields[2:], " ")
		}
	}
	pid := os.Getppid()
	for range maxCallers {
		if pid <= 0 {
			return lines, true
		}
		text, ok := line[pid]
		if !ok {
			return nil, false
		}
		lines = append(lines, text)
		pid = parent[pid]
	}
	return nil, false
}

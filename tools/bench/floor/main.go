// Command floor is the least that a wrapper can do: it runs a command,
// captures it and prints JSON. envwrap's start-up is measured against it.
package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
)

func main() {
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, &stdout, &stderr
	err := cmd.Run()
	_ = json.NewEncoder(os.Stdout).Encode(map[string]any{
		"argv": os.Args[1:], "ok": err == nil, "exit_code": cmd.ProcessState.ExitCode(),
		"stdout": stdout.String(), "stderr": stderr.String(),
	})
}

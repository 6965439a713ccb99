// Command consumer runs a helper that prints {"priorities": [...]} and shows
// what it found.
//
//	go run ./examples/consumer COMMAND [ARG...]
//
// envwrap does what a helper would otherwise do for itself: it says how the
// command ended, in one envelope. The program then branches on its status.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// An envelope has the members of helper/v1 that this program reads.
type envelope struct {
	SchemaVersion string `json:"schema_version"`
	Status        string `json:"status"`
	Error         *struct {
		Code, Message string
	} `json:"error"`
	Skipped []string `json:"skipped_sources"`
	Exec    struct {
		Hint string `json:"hint"`
	} `json:"exec"`

	Priorities []string `json:"priorities"`
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		fmt.Println("(please look by hand)")
	}
}

// run shows what the helper found; an error is why somebody else has to look.
func run(command []string) error {
	// A program reads it: nothing has to be kept short for an agent's eyes.
	options := []string{"-f", "helper/v1", "--inline-limit", "8MiB", "--budget", "0", "--"}
	cmd := exec.Command("envwrap", append(options, command...)...)
	cmd.Stdin, cmd.Stderr = os.Stdin, os.Stderr
	text, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return fmt.Errorf("envwrap cannot be run: %w", err)
	}
	var e envelope
	if err := json.Unmarshal(text, &e); err != nil {
		return errors.New("the helper printed no envelope")
	}
	if major, _, _ := strings.Cut(e.SchemaVersion, "."); major != "1" {
		return fmt.Errorf("unknown version %s", e.SchemaVersion)
	}
	switch e.Status {
	case "ok", "partial":
		return e.show()
	case "tool-missing":
		fmt.Printf("%s\n%s\n", e.Error.Message, e.Exec.Hint)
		return nil
	}
	return fmt.Errorf("%s: %s", e.Error.Code, e.Error.Message)
}

func (e *envelope) show() error {
	if e.Priorities == nil {
		return errors.New("the helper printed no priorities")
	}
	for _, p := range e.Priorities {
		fmt.Println("- " + p)
	}
	if e.Status == "partial" {
		fmt.Println("Sources skipped: " + strings.Join(e.Skipped, ", "))
	}
	return nil
}

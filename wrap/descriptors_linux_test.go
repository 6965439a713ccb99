package wrap_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

func init() { roles["descriptors"] = descriptors }

// descriptors runs a command where args[0] more files can be opened, and prints
// what came of it.
func descriptors(args []string) {
	limit := syscall.Rlimit{Cur: 64, Max: 64}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		fmt.Println("skip", err)
		return
	}
	var open []*os.File
	for {
		f, err := os.Open(os.DevNull)
		if err != nil {
			break
		}
		open = append(open, f)
	}
	for _, f := range open[len(open)-number(args[0]):] {
		_ = f.Close()
	}
	res, err := wrap.Run(context.Background(), &wrap.Command{
		Process: wrap.Process{Argv: []string{"/bin/true"}, Env: []string{"PATH=/bin"}},
		Capture: wrap.Capture{Redactor: redact.New(redact.Options{})},
	})
	switch {
	case err != nil:
		fmt.Println("error:", err)
	case res.ExitStatus != 0:
		fmt.Println("failure:", res.Outcome.Message)
	default:
		fmt.Println("success")
	}
}

// Where no more files can be opened a run says so, whichever file it is.
func TestTooManyOpenFiles(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	succeeded := false
	for n := range 40 {
		cmd := exec.Command(self, fmt.Sprint(n))
		cmd.Env = inRole("descriptors")
		out, err := cmd.CombinedOutput()
		text := string(out)
		switch {
		case err != nil:
			t.Fatalf("with %d descriptors: %v\n%s", n, err, out)
		case strings.HasPrefix(text, "skip"):
			t.Skip(text)
		case text == "success\n":
			succeeded = true
		case !strings.Contains(text, "too many open files"):
			t.Errorf("with %d descriptors: %s", n, out)
		case succeeded:
			t.Errorf("with %d descriptors it fails, and with fewer it did not: %s", n, out)
		}
	}
	if !succeeded {
		t.Error("40 descriptors are not enough")
	}
}

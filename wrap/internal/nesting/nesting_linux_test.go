package nesting

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/envwrap/envwrap/internal/test/testenv"
)

// TestMain is also the process below, which says what it is told to.
func TestMain(m *testing.M) {
	if run := os.Getenv("HOLD"); run != "" {
		hold(run)
	}
	if context := os.Getenv("ENVWRAP_CTX"); context != "" {
		status, _ := strconv.Atoi(os.Getenv("STATUS"))
		Say(context, []byte(os.Getenv("DOC")), status)
		os.Exit(0)
	}
	os.Exit(testenv.Run(m))
}

// hold has a register until its stdin ends, and then prints whether anything is in it.
func hold(run string) {
	r := Open(fmt.Sprintf("%s:%d", run, os.Getpid()))
	fmt.Println("open")
	_, _ = io.ReadAll(os.Stdin)
	info, err := r.file.Stat()
	fmt.Println(err == nil && info.Size() > 0)
	os.Exit(0)
}

// needFiles skips the test where the kernel makes no files in memory, or refuses them.
func needFiles(t *testing.T) {
	t.Helper()
	fd, err := unix.MemfdCreate("test", unix.MFD_CLOEXEC)
	if err != nil {
		t.Skip("no files in memory:", err)
	}
	if err := unix.Close(fd); err != nil {
		t.Fatal(err)
	}
}

// A process that is no ancestor gets no message.
func TestOtherProcess(t *testing.T) {
	needFiles(t)
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "HOLD=01JD3K5Y7Q8R9S0T1V2W3X4Y5Z")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	if !lines.Scan() {
		t.Fatal("it did not start")
	}
	below(t, fmt.Sprintf("01JD3K5Y7Q8R9S0T1V2W3X4Y5Z:%d", cmd.Process.Pid), "{}", 0)
	stdin.Close()
	if lines.Scan(); lines.Text() != "false" {
		t.Errorf("something was said to it: %q", lines.Text())
	}
	_ = cmd.Wait()
}

// below runs a process that says that it printed doc and ends with status.
func below(t *testing.T, context, doc string, status int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "ENVWRAP_CTX="+context, "DOC="+doc, fmt.Sprintf("STATUS=%d", status))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// A register has what processes below said of it, and nothing that others did.
func TestRegister(t *testing.T) {
	context := fmt.Sprintf("01JD3K5Y7Q8R9S0T1V2W3X4Y5Z:%d", os.Getpid())
	needFiles(t)
	r := Open(context)
	if r == nil {
		t.Fatal("no register")
	}
	defer r.Close()
	other := Open(strings.Replace(context, "5Z", "5Y", 1))
	defer other.Close()
	check := func(doc string, status int, printed, ended bool) {
		t.Helper()
		if p, e := r.Has([]byte(doc), status); p != printed || e != ended {
			t.Errorf("%q with %d: printed %t, ended %t", doc, status, p, e)
		}
	}
	check("{}", 3, false, false)
	below(t, context, "{}", 3)
	check("{}", 3, true, true)
	check(" {}\n", 3, true, true)
	check("{}", 4, true, false)
	check("[]", 3, false, false)
	if p, _ := other.Has([]byte("{}"), 3); p {
		t.Error("it is in the register of another run")
	}
	for _, wrong := range []string{"x", ":", "01JD3K5Y7Q8R9S0T1V2W3X4Y5Z:0", "01JD3K5Y7Q8R9S0T1V2W3X4Y5Z:1", "01JD3K5Y7Q8R9S0T1V2W3X4Y5Z:", "other" + context, strings.Repeat("x", longestRun) + context} {
		below(t, wrong, "[]", 3)
		check("[]", 3, false, false)
		if r := Open(wrong); r != nil && !strings.HasPrefix(wrong, "other") && !strings.HasSuffix(wrong, ":1") {
			t.Errorf("%q has a register", wrong)
		}
	}
	for i := range 2000 { // of many the last count
		if _, err := r.file.WriteString(entry([]byte(strconv.Itoa(i)), 0)); err != nil {
			t.Fatal(err)
		}
	}
	check("1999", 0, true, true)
	check("0", 0, false, false)
	var none *Register
	if p, e := none.Has(nil, 0); p || e {
		t.Error("no register has something")
	}
	none.Close()
}

package wrap_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/test/testenv"
)

// The test binary is also the child: with this variable set it plays one of
// the roles below instead of running tests, so that no test depends on a shell.
const roleVariable = "ENVWRAP_TEST_ROLE"

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		play(role, os.Args[1:])
		os.Exit(0)
	}
	os.Exit(testenv.RunWaiting(m))
}

// roles are the children of the tests, good and bad.
var roles = map[string]func(args []string){
	"exit":    func(args []string) { os.Exit(number(args[0])) },
	"print":   func(args []string) { fmt.Print(args[0]); fmt.Fprint(os.Stderr, args[1]) },
	"falter":  func(args []string) { fmt.Print(args[0]); fmt.Fprint(os.Stderr, args[1]); os.Exit(9) },
	"flood":   flood,
	"echo":    func([]string) { _, _ = io.Copy(os.Stdout, os.Stdin) },
	"pwd":     func([]string) { dir, _ := os.Getwd(); fmt.Print(dir, " ", os.Getenv("PWD")) },
	"env":     func(args []string) { fmt.Print(os.Getenv(args[0])) },
	"hang":    func([]string) { ready(); forever() },
	"moan":    func(args []string) { fmt.Fprint(os.Stderr, args[0]); ready(); forever() },
	"deaf":    deaf,
	"polite":  polite,
	"hold":    hold,
	"chatter": chatter,
	"family":  family,
	"weave":   weave,
	"escape":  escape,
}

func play(role string, args []string) {
	f, ok := roles[role]
	if !ok {
		fmt.Fprintln(os.Stderr, "no such role:", role)
		os.Exit(99)
	}
	f(args)
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

// flood prints args[0] bytes on stdout, and as many on stderr as args[1] says.
func flood(args []string) {
	for i, f := range []*os.File{os.Stdout, os.Stderr} {
		w := bufio.NewWriterSize(f, 64<<10)
		line := strings.Repeat("x", 63) + "\n"
		for left := number(args[i]); left > 0; left -= len(line) {
			if _, err := w.WriteString(line[:min(left, len(line))]); err != nil {
				os.Exit(1)
			}
		}
		_ = w.Flush()
	}
}

// readyVariable names the file that a child makes when it is ready.
const readyVariable = "ENVWRAP_TEST_READY"

// ready says that the child has done what its role does before it waits.
func ready() {
	fmt.Println("ready")
	if name := os.Getenv(readyVariable); name != "" {
		writeFile(name, "")
	}
}

// deaf ignores every polite signal.
func deaf([]string) {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	ready()
	forever()
}

// polite ends with the status args[0] when a signal asks it to.
func polite(args []string) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT)
	ready()
	fmt.Println(<-signals)
	os.Exit(number(args[0]))
}

// inRole is this process's environment with another role in it.
func inRole(role string) []string {
	env := slices.DeleteFunc(os.Environ(), func(pair string) bool { return strings.HasPrefix(pair, roleVariable+"=") })
	return append(env, roleVariable+"="+role)
}

// again starts another process of this binary that shares our streams.
func again(role string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = inRole(role)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	return cmd
}

// hold ends with status args[0] while a grandchild keeps the pipes open. The
// grandchild's id is written to the file args[1].
func hold(args []string) {
	cmd := again("deaf")
	writeFile(args[1], strconv.Itoa(cmd.Process.Pid))
	os.Exit(number(args[0]))
}

// chatter ends while a grandchild goes on printing for args[0]. As
// "grandchild" it is that one.
func chatter(args []string) {
	if len(args) == 1 {
		again("chatter", args[0], "grandchild")
		return
	}
	length, err := time.ParseDuration(args[0])
	if err != nil {
		panic(err)
	}
	slowly := time.NewTicker(30 * time.Millisecond)
	for end := time.Now().Add(length); time.Now().Before(end); <-slowly.C {
		fmt.Println("still here")
	}
	fmt.Println("the last word")
}

// forever waits for a signal that ends the process. It is not an empty select,
// which a program without cgo takes for a deadlock.
func forever() { <-time.After(time.Hour) }

// family has a deaf child and waits for it.
func family(args []string) {
	cmd := again("deaf")
	writeFile(args[0], strconv.Itoa(cmd.Process.Pid))
	_ = cmd.Wait()
}

// weave writes to both streams in turn.
func weave([]string) {
	for i := range 50 {
		fmt.Fprintln(os.Stdout, "out", i)
		fmt.Fprintln(os.Stderr, "err", i)
	}
}

func writeFile(name, text string) {
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		panic(err)
	}
}

// escape leaves a grandchild in role args[2] in a session of its own with no stream of
// ours, as a daemon does, and ends as args[1] says: "end" or "stay".
func escape(args []string) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = inRole(args[2])
	detach(cmd)
	out, err := cmd.StdoutPipe()
	if err := errors.Join(err, cmd.Start()); err != nil {
		panic(err)
	}
	if args[2] == "deaf" { // from when it is ready
		_, _ = out.Read(make([]byte, 1))
	}
	writeFile(args[0], strconv.Itoa(cmd.Process.Pid))
	fmt.Println("ready")
	if args[1] == "stay" {
		forever()
	}
}

//go:build unix

package artifact

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// TestMain makes the test binary a writer where the environment says so.
func TestMain(m *testing.M) {
	if role := os.Getenv("ARTIFACT_TEST_ROLE"); role != "" {
		if err := roles[role](); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(testenv.Run(m))
}

// roles are the programs that a child of the tests can run.
var roles = map[string]func() error{
	"endless": endlessWriter,
	"halfway": halfwayWriter,
	"round":   roundWriter,
	"limited": limitedWriter,
	"mount":   mountAndFill,
}

// child makes the command of a child in a role.
func child(t testing.TB, role, dir string, env ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "ARTIFACT_TEST_ROLE="+role, "ARTIFACT_TEST_DIR="+dir)
	cmd.Env = append(cmd.Env, env...)
	return cmd
}

// times is how often a test repeats what is random; more where the environment
// says that there is time.
func times(usual, heavy int) int {
	if os.Getenv("ENVWRAP_TEST_HEAVY") != "" {
		return heavy
	}
	return usual
}

func openForChild() (*Store, error) {
	return Open(Options{Dir: os.Getenv("ARTIFACT_TEST_DIR"), NoMaintenance: true})
}

// endlessWriter stores objects of all sizes until it is killed. It prints a
// digest once Commit has returned.
func endlessWriter() error {
	s, err := openForChild()
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(uint64(os.Getpid()), 1))
	for {
		size := r.IntN(8 * bufferSize)
		if r.IntN(3) == 0 {
			size = r.IntN(2000)
		}
		b := make([]byte, size)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		digest, err := store(s, b)
		if err != nil {
			return err
		}
		fmt.Println(digest)
	}
}

// halfwayWriter writes the first half of an object, prints a line, and waits.
func halfwayWriter() error {
	s, err := openForChild()
	if err != nil {
		return err
	}
	p, err := s.Create()
	if err != nil {
		return err
	}
	if _, err := p.Write(halfway); err != nil {
		return err
	}
	if err := p.flush(); err != nil { // what the pipe still has
		return err
	}
	fmt.Println("halfway")
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// halfway is the first half of an object.
var halfway = bytes.Repeat([]byte("0123456789abcde\n"), bufferSize/8)

// TestKillWriters kills writers at random moments, and one in the middle of an object. What they said is stored is
// there and sound; what they had begun can be salvaged; nothing is corrupt.
func TestKillWriters(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "store")
	r := rand.New(rand.NewPCG(3, 4))
	acked := map[string]bool{}
	kills := times(matrix.Times(8, 120), 1000)
	for range kills {
		cmd := child(t, "endless", dir)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		if !lines.Scan() {
			t.Fatalf("the writer ended by itself: %s", &errs)
		}
		acked[lines.Text()] = true
		timer := time.AfterFunc(time.Duration(r.IntN(8000))*time.Microsecond, func() { cmd.Process.Kill() })
		for lines.Scan() {
			if len(lines.Text()) == len(digestPrefix)+hexLen {
				acked[lines.Text()] = true
			}
		}
		if err := lines.Err(); err != nil {
			t.Error(err)
		}
		timer.Stop()
		cmd.Wait()
	}
	killHalfway(t, dir)
	s, err := Open(Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	saved, err := s.Recover()
	if err != nil {
		t.Error(err)
	}
	digest, err := digestOf(bytes.NewReader(halfway))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(saved, func(v Salvage) bool { return v.Digest == digestPrefix+digest }) {
		t.Errorf("the object that was half written is not among %v", saved)
	}
	for digest := range acked {
		if _, err := load(s, digest); err != nil {
			t.Errorf("%s was acknowledged: %v", digest, err)
		}
	}
	// SIGKILL may cut a line of the index where it crosses a page; the index is
	// advisory, and what it says of the objects is made anew. Nothing else may
	// be damaged.
	v, err := s.Verify(Check{})
	for _, f := range v.Faults {
		if !strings.HasPrefix(f.File, indexDir+"/") {
			t.Errorf("verify: %v", f)
		}
	}
	if err == nil && len(v.Faults) > 0 {
		if _, _, err = s.Reindex(); err == nil {
			v, err = s.Verify(Check{})
		}
	}
	if err != nil || len(v.Faults) > 0 {
		t.Errorf("verify after reindex: %v, %v", v.Faults, err)
	}
	parts, err := s.Parts()
	if err != nil {
		t.Error(err)
	}
	for _, p := range parts {
		if !p.Alive {
			t.Errorf("part %s was not salvaged", p.Name)
		}
	}
	t.Logf("%d kills, %d acknowledged, %d objects, %d parts salvaged", kills, len(acked), v.Objects, len(saved))
}

// killHalfway kills a writer in the middle of an object.
func killHalfway(t *testing.T, dir string) {
	t.Helper()
	cmd := child(t, "halfway", dir)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "halfway\n" {
		t.Errorf("the writer said %q, %v: %s", line, err, &errs)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// roundWriter stores the objects that its environment names, and some of its
// own, in an order of its own.
func roundWriter() error {
	s, err := openForChild()
	if err != nil {
		return err
	}
	defer s.Close()
	round, _ := strconv.Atoi(os.Getenv("ARTIFACT_TEST_ROUND"))
	for _, i := range rand.Perm(sharedObjects) {
		for _, b := range [][]byte{sharedObject(round, i), fmt.Appendf(nil, "own %d %d", os.Getpid(), i)} {
			digest, err := store(s, b)
			if err != nil {
				return err
			}
			if got, err := load(s, digest); err != nil || !bytes.Equal(got, b) {
				return fmt.Errorf("%s: %w", digest, err)
			}
			fmt.Println(digest)
		}
	}
	return nil
}

const sharedObjects = 8

func sharedObject(round, i int) []byte {
	return bytes.Repeat(fmt.Appendf(nil, "round %d object %d\n", round, i), 40)
}

// TestManyProcesses has several processes store the same and different
// objects, while collectors want everything that is old, and all the shared
// objects are. What Commit has reported as stored stays.
func TestManyProcesses(t *testing.T) {
	t.Parallel()
	perRound := matrix.Times(3, 20)
	dir := filepath.Join(t.TempDir(), "store")
	s, err := Open(Options{Dir: dir, NoMaintenance: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for round := range times(matrix.Times(1, 5), 40) {
		for i := range sharedObjects {
			digest, err := store(s, sharedObject(round, i))
			if err != nil {
				t.Fatal(err)
			}
			old := time.Now().Add(-30 * 24 * time.Hour)
			if err := s.fs.Chtimes(objectName(digest[len(digestPrefix):]), old); err != nil {
				t.Fatal(err)
			}
		}
		stop := make(chan struct{})
		var collectors sync.WaitGroup
		for range 2 {
			collectors.Go(func() { collectUntil(t, s, stop) })
		}
		acked := runRound(t, dir, round, perRound)
		close(stop)
		collectors.Wait()
		for digest := range acked {
			if _, err := load(s, digest); err != nil {
				t.Errorf("round %d: %s was acknowledged: %v", round, digest, err)
			}
		}
		if want := sharedObjects * (perRound + 1); len(acked) != want {
			t.Errorf("round %d: %d objects were acknowledged, want %d", round, len(acked), want)
		}
	}
	v, err := s.Verify(Check{})
	if err != nil || len(v.Faults) > 0 {
		t.Errorf("verify: %v, %v", v.Faults, err)
	}
}

// runRound runs writers at once and returns what Commit returned to them.
func runRound(t *testing.T, dir string, round, n int) map[string]bool {
	t.Helper()
	acked := map[string]bool{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			cmd := child(t, "round", dir, "ARTIFACT_TEST_ROUND="+strconv.Itoa(round))
			var errs bytes.Buffer
			cmd.Stderr = &errs
			out, err := cmd.Output()
			if err != nil {
				t.Errorf("round %d: %v: %s", round, err, &errs)
			}
			mu.Lock()
			defer mu.Unlock()
			for digest := range strings.FieldsSeq(string(out)) {
				acked[digest] = true
			}
		})
	}
	all.Wait()
	return acked
}

func collectUntil(t *testing.T, s *Store, stop chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		if _, err := s.Collect(DefaultPolicy()); err != nil {
			t.Error(err)
			return
		}
	}
}

// limitedWriter stores more than its limit of file size allows.
func limitedWriter() error {
	limit := syscall.Rlimit{Cur: 100_000, Max: 100_000}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	s, err := openForChild()
	if err != nil {
		return err
	}
	defer s.Close()
	if _, err = store(s, make([]byte, 1<<20)); err == nil {
		return fmt.Errorf("a megabyte was stored")
	}
	fmt.Println(err)
	small, err := store(s, []byte("small"))
	fmt.Println(small)
	return err
}

// TestFileSizeLimit has the system refuse a large file, which also sends a
// signal that ends most programs.
func TestFileSizeLimit(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	out, err := child(t, "limited", dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if !strings.Contains(string(out), "file too large") {
		t.Errorf("the error is %s", out)
	}
	if parts, _ := os.ReadDir(filepath.Join(dir, partDir)); len(parts) > 0 {
		t.Errorf("%v was left behind", parts)
	}
}

package artifact

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// mountAndFill makes a file system of 4 MiB and fills it.
func mountAndFill() error {
	dir := os.Getenv("ARTIFACT_TEST_DIR")
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=4m,mode=700"); err != nil {
		return err
	}
	return fillDisk(dir, os.Stdout)
}

// TestFullDisk fills a real, small disk, in a user namespace of its own.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	cmd := child(t, "mount", dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	if err != nil && len(out) == 0 {
		t.Skipf("user namespaces are forbidden here: %v", err)
	}
	if strings.Contains(string(out), "operation not permitted") {
		t.Skipf("mounting is forbidden here: %s", out)
	}
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if !strings.Contains(string(out), "no space left on device") || !strings.Contains(string(out), "stored") {
		t.Errorf("got %s", out)
	}
	if left, _ := os.ReadDir(filepath.Join(dir, "store")); len(left) > 0 {
		t.Errorf("the disk was not the small one: %v", left)
	}
}

// fillDisk stores objects in a small file system until one does not fit.
func fillDisk(dir string, w io.Writer) error {
	s, err := Open(Options{Dir: filepath.Join(dir, "store"), NoMaintenance: true})
	if err != nil {
		return err
	}
	defer s.Close()
	acked := map[string]bool{}
	for i := range 1000 {
		digest, err := store(s, bytes.Repeat([]byte{byte(i), byte(i >> 8)}, 40_000))
		if err != nil {
			fmt.Fprintln(w, err)
			break
		}
		acked[digest] = true
	}
	for digest := range acked {
		if _, err := load(s, digest); err != nil {
			return fmt.Errorf("%s was acknowledged: %w", digest, err)
		}
	}
	v, err := s.Verify(Check{})
	if err != nil || len(v.Faults) > 0 {
		return fmt.Errorf("verify: %v, %w", v.Faults, err)
	}
	if parts, _ := s.fs.NamesIn(partDir); len(parts) > 0 {
		return fmt.Errorf("%v was left behind", parts)
	}
	// What goes makes room.
	for digest := range acked {
		if _, err := s.Remove(digest); err != nil {
			return err
		}
		break
	}
	if _, err := store(s, bytes.Repeat([]byte("again"), 10_000)); err != nil {
		return err
	}
	fmt.Fprintln(w, len(acked), "stored")
	return nil
}

package artifact

import (
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

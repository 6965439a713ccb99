package proc

import (
	"os"
	"path/filepath"
	"testing"
)

func TestOOMKills(t *testing.T) {
	root := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if n, ok := oomKills(root); ok {
		t.Errorf("without files: %d", n)
	}
	put("proc/self/cgroup", "9:name=systemd:/\n0::/box/run\n")
	if n, ok := oomKills(root); ok {
		t.Errorf("without events: %d", n)
	}
	put("sys/fs/cgroup/box/run/memory.events", "low 0\nhigh 0\nmax 4\noom 2\noom_kill 3\noom_group_kill 1\n")
	if n, ok := oomKills(root); !ok || n != 3 {
		t.Errorf("%d, %v", n, ok)
	}
	for _, text := range []string{"oom_kill x\n", "oom 1\n"} {
		put("sys/fs/cgroup/box/run/memory.events", text)
		if n, ok := oomKills(root); ok {
			t.Errorf("%q: %d", text, n)
		}
	}
	put("proc/self/cgroup", "9:name=systemd:/\n")
	if n, ok := oomKills(root); ok {
		t.Errorf("in no group of version 2: %d", n)
	}
	if n, ok := OOMKills(); ok && n < 0 {
		t.Errorf("of this machine: %d", n)
	}
}

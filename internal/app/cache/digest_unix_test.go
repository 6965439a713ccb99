//go:build unix

package cache

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A large file is read once, and again as soon as it has changed: also where its
// size, its inode and its time of modification are unchanged.
func TestDigestIsRemembered(t *testing.T) {
	c := newCache(t)
	name := filepath.Join(t.TempDir(), "large")
	write(t, name, strings.Repeat("a", memoFrom))
	first, err := c.fileDigest(name)
	must(t, err)
	if memos, _ := os.ReadDir(filepath.Join(c.dir.Name(), digestsDir)); len(memos) != 1 {
		t.Fatalf("%d digests are remembered", len(memos))
	}
	memo := filepath.Join(c.dir.Name(), c.memo(name))
	write(t, memo, strings.Replace(contents(t, memo), first, strings.Repeat("0", 64), 1))
	if again, err := c.fileDigest(name); err != nil || again != first {
		t.Errorf("a damaged memory was believed: %s, %v", again, err)
	}
	rewrite(t, name, strings.Repeat("b", memoFrom))
	if second, err := c.fileDigest(name); err != nil || second == first {
		t.Errorf("the change was not seen: %v", err)
	}
}

// A remembered digest is the answer, or nothing would be gained.
func TestDigestIsNotReadAgain(t *testing.T) {
	c := newCache(t)
	name := filepath.Join(t.TempDir(), "large")
	write(t, name, strings.Repeat("a", memoFrom))
	f, err := os.Open(name)
	must(t, err)
	defer f.Close()
	info, err := f.Stat()
	must(t, err)
	id, _ := identity(info)
	c.memorize(name, id, info, "remembered")
	if got, err := c.fileDigest(name); err != nil || got != "remembered" {
		t.Errorf("got %s, %v", got, err)
	}
}

// The digests of small files, and of one that changed while it was read, are not
// remembered; one that cannot be leaves nothing behind.
func TestDigestIsForgotten(t *testing.T) {
	c := newCache(t)
	name := filepath.Join(t.TempDir(), "file")
	write(t, name, strings.Repeat("a", memoFrom-1))
	_, err := c.fileDigest(name)
	must(t, err)
	info, err := os.Stat(name)
	must(t, err)
	c.memorize(name, "another", info, "digest")
	must(t, os.MkdirAll(filepath.Join(c.dir.Name(), c.memo(name), "x"), 0o700))
	id, _ := identity(info)
	c.memorize(name, id, info, "digest")
	if memos, _ := os.ReadDir(filepath.Join(c.dir.Name(), digestsDir)); len(memos) != 1 || !memos[0].IsDir() {
		t.Errorf("remembered: %v", memos)
	}
}

// A file that has just changed may change again without another time.
func TestDigestOfYoungFile(t *testing.T) {
	c := newCache(t)
	c.now = time.Now
	name := filepath.Join(t.TempDir(), "large")
	write(t, name, strings.Repeat("a", memoFrom))
	_, err := c.fileDigest(name)
	must(t, err)
	if memos, _ := os.ReadDir(filepath.Join(c.dir.Name(), digestsDir)); len(memos) > 0 {
		t.Error("the digest of a young file is remembered")
	}
}

// A FIFO does not hang us, and is no input; in a directory it counts by its name.
func TestInputsThatAreNoFiles(t *testing.T) {
	c, dir := newCache(t), t.TempDir()
	fifo := filepath.Join(dir, "fifo")
	must(t, syscall.Mkfifo(fifo, 0o600))
	if _, _, err := c.inputs([]string{fifo}); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("got %v", err)
	}
	found, _, err := c.inputs([]string{dir})
	if err != nil || !strings.HasPrefix(found[fifo], "kind p") {
		t.Errorf("got %q, %v", found, err)
	}
	if os.Getuid() == 0 {
		return
	}
	secret := filepath.Join(dir, "secret")
	write(t, secret, "x")
	must(t, os.Chmod(secret, 0))
	if _, _, err := c.inputs([]string{dir}); err == nil || !strings.Contains(err.Error(), "permission denied") {
		t.Errorf("got %v", err)
	}
}

package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// memoFrom is the size in bytes from which a file's digest is remembered:
// reading less is as fast as looking it up.
const memoFrom = 64 << 10

// memoMost is the most bytes that are read of a remembered digest.
const memoMost = 4 << 10

// settled is how old the last change of a file must be before its digest is remembered.
// A clock that counts in two seconds (FAT) may give a change after the reading the same
// time.
const settled = 3 * time.Second

// errNotFile means that a FIFO, a device or the like has the name of a file.
var errNotFile = errors.New("it is no regular file")

// fileDigest returns the SHA-256 of a file's bytes.
//
// A large file is not read again as long as its device, inode, size, time of
// modification and time of change are the same. Every write sets the time of change, and
// no program can choose it; so a remembered digest is wrong only if the file system's
// clock was set back, or if a mapping has changed and was not written back yet. On a
// system without such a time every file is read each time.
func (c *Cache) fileDigest(name string) (string, error) {
	f, err := openFile(name)
	if err != nil {
		return "", safefs.Cause(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", safefs.Cause(err)
	}
	if !info.Mode().IsRegular() {
		return "", errNotFile
	}
	id, ok := identity(info)
	if ok = ok && info.Size() >= memoFrom; ok {
		if digest := c.recall(name, id); digest != "" {
			return digest, nil
		}
	}
	digest, err := Digest(f, info.Size())
	if err != nil {
		return "", safefs.Cause(err)
	}
	if after, err := f.Stat(); err == nil && ok {
		c.memorize(name, id, after, digest)
	}
	return digest, nil
}

// Digest returns the SHA-256 of the bytes of r, in hexadecimal. size is the expected
// number of bytes, a hint that may be wrong.
func Digest(r io.Reader, size int64) (string, error) {
	const least, most = 512, 128 << 10
	h := sha256.New()
	_, err := io.CopyBuffer(h, struct{ io.Reader }{r}, make([]byte, min(max(size+1, least), most)))
	return hex.EncodeToString(h.Sum(nil)), err
}

// memo returns the name of the file that has the remembered digest of a file.
func (c *Cache) memo(name string) string {
	return path.Join(digestsDir, c.mark("file", name))
}

// recall returns the digest of a file that has not changed since, or "".
func (c *Cache) recall(name, id string) string {
	text, err := c.dir.ReadFile(c.memo(name), memoMost)
	if err != nil {
		return ""
	}
	known, digest, _ := strings.Cut(strings.TrimSuffix(string(text), "\n"), " ")
	digest, check, _ := strings.Cut(digest, " ")
	if known != id || check != c.mark("memo", name, id, digest) {
		return ""
	}
	return digest
}

// memorize stores a digest, unless the file changed while it was read, or so shortly
// before that its times could not show a later change.
func (c *Cache) memorize(name, id string, after fs.FileInfo, digest string) {
	now, ok := identity(after)
	if !ok || now != id || c.now().Sub(changed(after)) < settled {
		return
	}
	text := id + " " + digest + " " + c.mark("memo", name, id, digest) + "\n"
	tmp, err := writeTemp(c.dir, digestsDir, []byte(text), false)
	if err != nil {
		return
	}
	if err := c.dir.Rename(tmp, c.memo(name)); err != nil {
		_ = c.dir.Remove(tmp)
	}
}

package remoteconfig

import (
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// Corrupt remembers, for all processes that use one store, which objects a remote has sent
// with other bytes than their digest says, so that the next push replaces them: by an empty
// file for each. It is safe for concurrent use. One whose directory is "" or cannot be used
// remembers nothing.
type Corrupt struct {
	URL string // of the remote
	Dir string // of the store
}

// corruptDir is the directory of the files, in the store.
const corruptDir = "corrupt"

func (c Corrupt) file(digest string) string {
	sum := sha256.Sum256([]byte(c.URL + "\x00" + digest))
	return corruptDir + "/" + hex.EncodeToString(sum[:16])
}

// Note remembers an object, sha256:<hex>.
func (c Corrupt) Note(digest string) { note(c.Dir, corruptDir, c.file(digest), time.Time{}) }

// Has reports whether an object was corrupt when it was last fetched.
func (c Corrupt) Has(digest string) bool {
	dir := openStore(c.Dir)
	if dir == nil {
		return false
	}
	defer dir.Close()
	_, err := dir.Lstat(c.file(digest))
	return err == nil
}

// Forget forgets an object, which was replaced.
func (c Corrupt) Forget(digest string) {
	if dir := openStore(c.Dir); dir != nil {
		defer dir.Close()
		_ = dir.Remove(c.file(digest))
	}
}

package remoteconfig

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// ErrUnreached is wrapped by the errors of a remote that could not be reached.
var ErrUnreached = errors.New("the remote could not be reached")

// An unreached is an error that wraps ErrUnreached, with its own text.
type unreached struct{ error }

func (e unreached) Unwrap() []error { return []error{e.error, ErrUnreached} }

// AbsenceTime is how long a remote that could not be reached is asked nothing by the runs
// of one store.
const AbsenceTime = time.Minute

// An Absence remembers, for all processes that use one store, which remotes could not be
// reached: by a file for each, whose time of modification is when. It is safe for
// concurrent use. A nil Absence remembers nothing, as does one whose directory cannot be
// used.
type Absence struct {
	Dir string // of the store
	Now func() time.Time
}

// absenceDir is the directory of the files, in the store.
const absenceDir = "unreached"

// absenceFile returns the name of the file for a remote.
func absenceFile(url string) string {
	sum := sha256.Sum256([]byte(url))
	return absenceDir + "/" + hex.EncodeToString(sum[:8])
}

// check returns an error if the remote could not be reached less than AbsenceTime ago.
func (a *Absence) check(url string) error {
	if a == nil {
		return nil
	}
	dir := openStore(a.Dir)
	if dir == nil {
		return nil
	}
	defer dir.Close()
	info, err := dir.Lstat(absenceFile(url))
	if err != nil {
		return nil
	}
	left := AbsenceTime - a.Now().Sub(info.ModTime())
	if left <= 0 || left > AbsenceTime { // or the clock was set back
		return nil
	}
	return unreached{fmt.Errorf("remote %s: not asked: it could not be reached %.0f s ago; runs ask it again in %.0f s, and `envwrap remote check` says what is wrong",
		url, (AbsenceTime - left).Seconds(), left.Seconds())}
}

// note remembers that the remote cannot be reached now.
func (a *Absence) note(url string) {
	if a != nil {
		note(a.Dir, absenceDir, absenceFile(url), a.Now())
	}
}

// openStore opens the directory of a store, and returns nil if that is not possible.
func openStore(dir string) *safefs.Dir {
	if dir == "" {
		return nil
	}
	d, err := safefs.Open(dir)
	if err != nil {
		return nil
	}
	return d
}

// note makes an empty file in a directory of a store. Its time of modification is at, if that
// is not zero.
func note(store, folder, name string, at time.Time) {
	dir := openStore(store)
	if dir == nil {
		return
	}
	defer dir.Close()
	if err := dir.Mkdir(folder, 0o700); err != nil && !os.IsExist(err) {
		return
	}
	f, err := dir.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	_ = f.Close()
	if !at.IsZero() {
		_ = dir.Chtimes(name, at)
	}
}

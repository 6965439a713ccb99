package job

import (
	"crypto/rand"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"
)

// IsID reports whether a name has the form of an id: a ULID in upper case.
func IsID(name string) bool {
	if len(name) != ulid.EncodedSize || name[0] > '7' {
		return false
	}
	for _, c := range []byte(name) {
		if c >= 128 || idBytes[c/64]>>(c%64)&1 == 0 {
			return false
		}
	}
	return true
}

// idBytes has a bit for each byte of an id: digits, and capital letters but I, L, O
// and U.
var idBytes = [2]uint64{
	(1<<10 - 1) << '0',
	((1<<26 - 1) << 'A' &^ (1<<'I' | 1<<'L' | 1<<'O' | 1<<'U')) >> 64,
}

// later returns id, or the next one after last where id is not after it: a clock
// that was set back, or two jobs of one millisecond, keep the order of submit.
func later(id, last string) (string, error) {
	if !IsID(last) || id > last {
		return id, nil
	}
	old := ulid.MustParseStrict(last)
	for i := len(old) - 1; i >= 0; i-- {
		if old[i]++; old[i] != 0 {
			return old.String(), nil
		}
	}
	return "", errors.New("the ids of jobs are used up: the last one is from the year 10889")
}

// submitted returns the time in an id.
func submitted(id string) time.Time {
	return ulid.Time(ulid.MustParseStrict(id).Time())
}

// newID makes an id after all others.
func newID(now time.Time, last *os.File) (string, error) {
	old := make([]byte, ulid.EncodedSize)
	n, err := last.ReadAt(old, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	fresh, err := ulid.New(ulid.Timestamp(now), rand.Reader)
	if err != nil {
		return "", err
	}
	id, err := later(fresh.String(), string(old[:n]))
	if err == nil {
		_, err = last.WriteAt([]byte(id), 0)
	}
	return id, err
}

// IsName reports whether a text may be the name of a job: it begins with a letter, so that
// it is no beginning of an id, and has at most 64 letters, digits, dots, dashes and
// underscores.
func IsName(s string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return s != "" && len(s) <= 64 && strings.Contains(letters, s[:1]) && strings.Trim(s, letters+"0123456789._-") == "" &&
		!strings.HasPrefix(s, TaskPrefix) && s != "last"
}

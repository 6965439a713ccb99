package artifact

import (
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/envwrap/envwrap/artifact/internal/partial"
)

// Names inside a store.
const (
	versionFile   = "VERSION"
	objectsDir    = "objects"
	partDir       = partial.Dir
	indexDir      = "index"
	pinsDir       = "pins"
	quarantineDir = "quarantine"
	runDir        = "run"
)

const (
	digestPrefix = "sha256:"
	hexLen       = 64
)

// isHex reports whether s is made of lower-case hexadecimal digits.
func isHex(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// isObject reports whether a file of a shard has an object's name.
func isObject(name string) bool { return len(name) == hexLen && isHex(name) }

func shardDir(name string) string { return objectsDir + "/" + name[:2] }

func objectName(name string) string { return objectsDir + "/" + name[:2] + "/" + name }

// packedSuffix ends the name of an object's packed file.
const packedSuffix = ".gz"

// suffixes are the suffixes of an object's files: the plain one's, then the packed one's.
var suffixes = [...]string{"", packedSuffix}

// cutSuffix returns the name of a shard's file without the suffix of a packed
// one, and whether it had one.
func cutSuffix(file string) (name string, packed bool) { return strings.CutSuffix(file, packedSuffix) }

// A key is an object's name in its short form, for maps.
type key [hexLen / 2]byte

// keyOf returns the key of an object's name; false if the name is another one.
func keyOf(name string) (k key, ok bool) {
	if len(name) != hexLen {
		return k, false
	}
	_, err := hex.Decode(k[:], []byte(name))
	return k, err == nil
}

// Version is the number of the layout that this package writes. A store of
// another version is opened for reading only.
const Version = "1"

// A VersionError means that a store has a layout that this package does not write. It
// can be read as far as the layouts agree.
type VersionError struct{ Found string }

func (e *VersionError) Error() string {
	return fmt.Sprintf("its layout has version %q, and this envwrap writes %q: it is read only", e.Found, Version)
}

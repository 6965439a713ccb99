package artifact

import (
	"slices"
	"strings"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
)

// reportedSuffix ends the names of files in quarantine that Verify has reported.
const reportedSuffix = ".told"

// quarantine moves a corrupt object to quarantine/, where it is kept for diagnosis.
func (s *Store) quarantine(name string) error {
	if err := s.fs.Ensure(quarantineDir); err != nil {
		return err
	}
	return filesys.UnlessGone(s.fs.Rename(objectName(name), quarantineDir+"/"+name))
}

// quarantined reports whether an object whose name begins with prefix was
// found corrupt and lies in quarantine.
func (s *Store) quarantined(prefix string) bool {
	names, _ := s.fs.NamesIn(quarantineDir)
	return slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, prefix) })
}

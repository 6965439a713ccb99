package artifact

import (
	"slices"
	"strings"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
)

// reportedSuffix ends the names of files in quarantine that Verify has reported.
const reportedSuffix = ".told"

// quarantine moves a corrupt object to quarantine/, where it is kept for diagnosis.
func (obs *objects) quarantine(name string) error {
	if err := obs.fs.Ensure(quarantineDir); err != nil {
		return err
	}
	return filesys.IgnoreNotExist(obs.fs.Rename(objectName(name), quarantineDir+"/"+name))
}

// quarantined reports whether an object whose name begins with prefix was
// found corrupt and lies in quarantine.
func (obs *objects) quarantined(prefix string) bool {
	names, _ := obs.fs.NamesIn(quarantineDir)
	return slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, prefix) })
}

package artifact

import (
	"fmt"
	"slices"
	"strings"
)

// reportedSuffix ends the names of files in quarantine that Verify has reported.
const reportedSuffix = ".told"

// quarantine moves a corrupt object to quarantine/, where it is kept for diagnosis.
func (s *Store) quarantine(name string) error {
	if err := s.ours(quarantineDir, true); err != nil {
		return err
	}
	return unlessGone(s.fs.Rename(objectName(name), quarantineDir+"/"+name))
}

// quarantined reports whether an object whose name begins with prefix was
// found corrupt and lies in quarantine.
func (s *Store) quarantined(prefix string) bool {
	names, _ := s.namesIn(quarantineDir)
	return slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, prefix) })
}

// verifyQuarantine reports what lies in quarantine, once. What has been reported,
// or was stored again since, is only counted.
func (s *Store) verifyQuarantine(v *Verdict, purge bool) error {
	names, err := s.namesIn(quarantineDir)
	if err := s.unlessNamed(quarantineDir, err); err != nil {
		return err
	}
	reported := map[string]bool{}
	for _, f := range v.Faults {
		reported[f.File] = true
	}
	for _, name := range names {
		file, before := strings.CutSuffix(name, reportedSuffix)
		if before || reported[objectName(file)] || s.again(file) {
			v.Known++
		} else {
			v.Faults = append(v.Faults, Fault{quarantineDir + "/" + name, "it was corrupt when it was read"})
		}
		if s.readOnly != nil {
			continue
		}
		if purge {
			if err := unlessGone(s.fs.Remove(quarantineDir + "/" + name)); err != nil {
				return fmt.Errorf("purge %q: %w", name, err)
			}
			v.Purged++
		} else if !before {
			_ = s.fs.Rename(quarantineDir+"/"+name, quarantineDir+"/"+name+reportedSuffix)
		}
	}
	return nil
}

// again reports whether an object is there although it was once found corrupt.
func (s *Store) again(file string) bool {
	name, _ := cutSuffix(file)
	if !isObject(name) {
		return false
	}
	found, err := s.names(name)
	return err == nil && len(found) > 0
}

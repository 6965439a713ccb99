package exitcode

import (
	"strings"
	"testing"
)

// A status that a known tool does not document is not read as one of
// sysexits.h.
func TestKnown(t *testing.T) {
	for argv, want := range map[string]bool{
		"grep x": true, "/usr/bin/git": true, "sudo -u x rsync": true, "python3.12 x": true, "python -m pytest": true,
		"mytool": false, "python -m mytool": false, "sh -c x": false, "shell": false, "sysexits": false, "": false,
		"gre": false, "grep,egrep": false,
	} {
		if got := Known(strings.Fields(argv)); got != want {
			t.Errorf("Known(%s) = %t", argv, got)
		}
	}
}

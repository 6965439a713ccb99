package safefs

import (
	"errors"

	"golang.org/x/sys/unix"
)

// hasACL reports whether a file or directory has an access control list (acl(5)). Its
// users and groups can do at most what the group's bits of the mode allow.
func hasACL(name string) bool {
	_, err := unix.Lgetxattr(name, "system.posix_acl_access", nil)
	return err == nil || !errors.Is(err, unix.ENODATA) && !errors.Is(err, unix.EOPNOTSUPP) && !errors.Is(err, unix.ENOSYS)
}

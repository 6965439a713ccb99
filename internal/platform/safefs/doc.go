// Package safefs opens the files that envwrap keeps for itself: the store, jobs,
// remembered runs, the log of runs, the list of trusted files, shims.
//
// A [Dir] is a directory that this user owns and nobody else can write to. Its
// path is resolved once, when it is opened; owner and mode are checked on the open
// handle. Everything below it is opened relative to that handle, one component at a
// time, and no component may be a symbolic link. Each directory on the way must belong
// to this user and not be writable by others, and a file must be a regular file of this
// user. So a Dir writes, removes and reads files of that directory only, even if a
// repository, an archive or another user made names in it.
//
// Opening never blocks: a FIFO, a socket or a device is refused.
//
// Names are relative to the directory, with slashes, as in [fs.ValidPath]. Errors are
// *fs.PathError with such a name and wrap the usual errors of fs, or ErrRefused.
//
// Unix systems use openat(2) with O_NOFOLLOW for each component. Other systems use
// os.Root, which stays within the directory, and check each component before it is
// used: a program of the same user that replaces a component in between is not noticed,
// and owner and mode are not checked.
package safefs

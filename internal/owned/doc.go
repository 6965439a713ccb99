// Package owned opens the files that envwrap itself keeps: the store, jobs,
// remembered runs, the record of runs, trust and shims.
//
// A [Dir] is a directory that this user owns and nobody else can write to. Its
// path is resolved once, when it is opened; owner and mode are checked on the
// open handle. Everything below it is reached from that handle, one component
// at a time, and no component may be a symbolic link. A component on the way
// has to be a directory of this user's that others cannot write to, and the
// last one a regular file of this user's where it is opened as a file. So
// what is written, removed or believed through a Dir lies in it, whoever made
// the names in it: a repository, an archive, or another user before the
// directory was closed.
//
// Opening never waits: a FIFO, a socket or a device is refused, not opened for
// its other end.
//
// Names have slashes and are relative to the directory, as [fs.ValidPath] has
// them. Errors are [*fs.PathError] with such a name and wrap the usual errors
// of [fs], or [ErrRefused].
//
// On Unix systems this is openat(2) with O_NOFOLLOW at each component. Elsewhere
// it is [os.Root], which keeps within the directory, and a look at each
// component before it is used; a program of the same user that exchanges a
// component in between is not noticed there, and access is the profile
// directory's: owner and mode are not looked at.
package owned

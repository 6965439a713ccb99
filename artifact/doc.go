// Package artifact keeps the output of commands in a content-addressed store on the
// local disk, so that output that an envelope leaves out is not lost.
//
// An object is named by the SHA-256 of its bytes. It becomes visible under
// that name in one step, when it is whole and on disk, and never changes afterwards.
// Any number of processes may write, read and collect at the same time, and any of them
// may be killed at any moment: it leaves a part file, which [Store.Recover] turns into
// an object.
//
// The package stores bytes unchanged: the caller has to mask secrets.
//
// # Layout
//
// A store is a directory that belongs to this user, mode 0700. No path in it is
// followed through a symbolic link.
//
//	VERSION               the layout's number; another one is read, not written
//	objects/ab/<hex>      the bytes, mode 0400
//	objects/ab/<hex>.gz   the same, packed by [Store.Pack]
//	part/<run>.<n>        output being captured, locked (flock) by its writer; of a job's,
//	                      another name of jobs/<run>/stdout or stderr
//	part/tmp-...          private to its writer
//	index/<day>.jsonl     an [Entry] for each stored object; advisory
//	pins/<hex>.<owner>    an object that the collector keeps, and until when
//	quarantine/<hex>      objects whose bytes did not match their name
//	run/                  state of the collector; what each directory holds
//
// A line of the index or of a pin is a CRC-32 (IEEE) as eight lower-case
// hexadecimal digits, a space, a text and a newline. In the index the text is a
// JSON object: digest, size (bytes), time (RFC 3339), and if known kind,
// command, stream, run, part. In a pin it is "for ever" or a time. A torn line is
// skipped. No line crosses a boundary of 4 KiB, where SIGKILL may cut a write. If an
// object has several lines, a later one overrides the members that it has.
//
// A packed object consists of gzip members of 256 KiB plain bytes each, and of empty ones
// whose extra field "EW" lists the length and CRC-32 of every packed member. run/shards
// has 24 bytes for each of 256 shards, little endian: Unix seconds and bytes, 64 bits
// each, their CRC-32, four bytes of zero. run/sizes has 56 of the same kind: inode and
// time of change (Unix nanoseconds) of the shard's directory; objects, bytes, packed
// objects, packed bytes. A record is valid as long as the directory has this inode and
// time.
//
// # How an object is stored
//
// A stream goes to a part file: hashed in one goroutine, written in the next,
// at most 2 MiB in flight. On ext4 and xfs fast output bypasses the page cache
// after its first 8 MiB. At the stream's end the part gets the present time, from
// which its age counts, and is brought to the disk. Under the shard's shared lock it
// is linked under its digest; where that exists the object gets the present time
// instead, and is read again up to 1 MiB: a corrupt one goes to quarantine. Then
// the name is brought to the disk, the part's name removed, and a line added
// to the index. Without hard links it is renamed.
//
// # Locks
//
// Who holds each lock, and for how long:
//
//	objects/<xx>  shared: whoever publishes, renews or pins an object of the shard,
//	              for some milliseconds and a sync of the disk;
//	              exclusive: whoever removes up to 16 objects, or packs one
//	part/<name>   the writer of the part, as long as it lives; whoever looks for
//	              parts of dead writers, for some microseconds or while it salvages one
//	run/shards    the automatic collector, while it looks at one shard
//
// Processes wait for the first lock only, and for a limited time: the holder of another
// one does the work that the next process would do. A writer whose time has passed goes
// on without the lock. That is safe, because a collector moves an object to run/ and
// checks its age again before it removes it.
//
// # What a power cut leaves
//
// When Commit returns, the object's bytes and its name are on the disk. Everything else
// may be lost: a line of the index, which reindex writes again, the removal of a part's
// name, and any object whose Commit has not returned. A name never comes to mean other
// bytes.
//
// A file system may keep any part of the unsynced changes, in any order. So the part
// is synced before it is linked, then the shard's directory, and for a new shard
// objects/. On ext4 and xfs one sync is enough. Their journal keeps changes in the
// order in which they were made, so that a sync of the file includes all earlier ones:
// the new name, and the shard's. The journal does not order bytes that are still in the
// page cache; those of the part are written out (sync_file_range(2)) before it is
// linked. ext4 without a journal, and ext2, keep no order: a power cut between the link
// and the sync may leave a name whose bytes are missing, for an object that no caller
// knows of; as its bytes do not match, it is never read.
//
// The collector takes an object under its shard's exclusive lock: it moves it
// to run/, looks once more, and puts it back if a writer has renewed it. So it is safe
// even beside a writer that holds no lock.
package artifact

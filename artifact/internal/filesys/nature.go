package filesys

// A Nature says what can be relied on with a file system.
type Nature struct {
	Locks   bool // they cannot hang, as where a network's file system asks another machine
	Direct  bool // large writes are better off past its page cache
	Ordered bool // changes reach the disk in the order made; a file's Sync takes along those before it
}

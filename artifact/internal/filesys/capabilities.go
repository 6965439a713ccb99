package filesys

// Capabilities are the properties of a file system on which a store relies.
type Capabilities struct {
	Locks   bool // they cannot hang, as where a network's file system asks another machine
	Direct  bool // large writes are better off past its page cache
	Ordered bool // changes reach the disk in the order made; a file's Sync takes along those before it
}

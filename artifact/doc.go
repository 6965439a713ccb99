// Package artifact keeps the output of commands in a content-addressed store
// on the local disk, so that nothing that was cut from an envelope is lost.
//
// An object is named by the SHA-256 of its bytes. It becomes visible under
// that name in one step, when it is whole and on disk, and never changes
// afterwards. Any number of processes may write, read and collect at once,
// and any of them may be killed at any moment: what is left then is a part
// file, which [Store.Recover] turns into an object.
//
// A store is one directory, reached through [os.Root], so that no symbolic
// link leads out of it:
//
//	VERSION            the layout's number; another one is read, not written
//	objects/ab/<hex>   the bytes, mode 0400; <hex>.zst where they were packed
//	part/<run>.<n>     output being captured, locked by its writer
//	index/<day>.jsonl  what is known beside the bytes; advisory
//	pins/<hex>.<owner> what the collector must leave alone
//	quarantine/<hex>   objects whose bytes did not match their name
//	run/               state of the collector
//
// The package stores what it is given: secrets have to be masked before.
package artifact

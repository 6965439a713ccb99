package artifact

import (
	"errors"
	"syscall"
)

// A drain writes whole buffers to a new file, the way that is fastest where
// the file lies. Only a pipe uses it.
type drain struct {
	f      file
	flush  bool // a sync will follow
	direct bool // large buffers go past the page cache

	past    bool // they do now
	written int64
	flushed int64 // bytes that the system was asked to bring to the disk
}

// write writes a buffer. Large ones go to the disk without a stop in the page
// cache: for a gibibyte that costs the processor a third, takes a third of the
// time, and leaves the cache to those who need it. A file system that does not
// want that gets them the usual way.
func (d *drain) write(b []byte) error {
	if d.past && len(b) < cap(b) {
		d.end() // less than whole pages
	}
	if d.direct && !d.past && len(b) == largeSize && d.written%pageSize == 0 {
		d.past = d.f.SetDirect(true)
		d.direct = d.past
	}
	n, err := d.f.Write(b)
	if err != nil && d.past && errors.Is(err, syscall.EINVAL) {
		d.end()
		d.direct = false
		_, err = d.f.Write(b[n:])
	}
	d.written += int64(len(b))
	if d.flush && !d.past && d.written-d.flushed >= flushStep {
		d.f.StartSync(d.flushed, d.written-d.flushed)
		d.flushed = d.written
	}
	return err
}

// end makes the file one that can be written to in bytes, not blocks.
func (d *drain) end() {
	if d.past {
		d.f.SetDirect(false)
		d.past = false
	}
}

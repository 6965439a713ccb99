package job

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/envwrap/envwrap/artifact"
)

// followPoll is how often Follow looks for more output.
const followPoll = 50 * time.Millisecond

// Follow calls emit with a job's masked output as it is printed, each stream from its
// last lines on (from its beginning if lines is negative), and returns the record when
// the job has ended and everything was emitted. p is valid during the call only. Follow
// ends with the error of emit, or that of ctx once it is done. As in [Store.Wait], the
// record comes with an error that wraps ErrElsewhere if only the far end knows the end.
// The output of a job that an engine holds comes to this store: it is followed until
// somebody else records its end.
func (s *Store) Follow(ctx context.Context, id string, lines int, emit func(of Stream, p []byte) error) (*Record, error) {
	id, err := s.Resolve(id)
	if err != nil {
		return nil, err
	}
	t := tail{s: s, id: id, lines: lines, emit: emit}
	defer t.close()
	rec, err := t.follow(ctx)
	if err != nil {
		err = fmt.Errorf("follow job %q: %w", id, err)
	}
	return rec, err
}

// Tail returns the last lines of each stream of a job's masked output so far, as far as
// they are within its last limit bytes.
func (s *Store) Tail(id string, lines int, limit int64) (stdout, stderr []byte, rec *Record, err error) {
	id, err = s.Resolve(id)
	if err != nil {
		return nil, nil, nil, err
	}
	ends := map[Stream][]byte{}
	t := tail{s: s, id: id, lines: lines, most: limit, emit: func(of Stream, p []byte) error {
		ends[of] = append(ends[of], p...)
		return nil
	}}
	defer t.close()
	rec, err = s.current(id)
	if err == nil {
		err = t.emitNew(rec)
	}
	if err != nil {
		return nil, nil, nil, fmt.Errorf("read the output of job %q: %w", id, err)
	}
	return ends[Stdout], ends[Stderr], rec, nil
}

// A tail reads both streams of a job, from its files or from artifacts.
type tail struct {
	s     *Store
	id    string
	lines int
	most  int64 // bytes a stream; 0 is no limit
	emit  func(of Stream, p []byte) error

	streams []*cursor
	stored  *artifact.Store // where the streams are artifacts
	buf     []byte
}

// A cursor is a position in a stream.
type cursor struct {
	of  Stream
	r   sizedReader
	off int64
}

// A sizedReader is the file or the artifact of a stream.
type sizedReader interface {
	io.ReaderAt
	io.Closer
	Size() int64
}

// A growingFile is the file of a running command's stream.
type growingFile struct{ *os.File }

// Size returns the size at present.
func (f growingFile) Size() int64 {
	size, _ := f.Seek(0, io.SeekEnd) // never fails with an open file
	return size
}

func (t *tail) close() {
	for _, r := range t.streams {
		_ = r.r.Close()
	}
	if t.stored != nil {
		_ = t.stored.Close()
	}
}

func (t *tail) follow(ctx context.Context) (*Record, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	over := t.s.records.over(ctx, t.id)
	tick := time.NewTicker(followPoll)
	defer tick.Stop()
	for {
		rec, err := t.s.current(t.id)
		if err != nil {
			return nil, err
		}
		if err = t.emitNew(rec); err != nil {
			return nil, err
		}
		if rec.State.Over() {
			return rec, nil
		}
		if over == nil && t.s.Elsewhere(rec) && !rec.InEngine() {
			return rec, ErrElsewhere
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case err := <-over:
			if err != nil {
				return nil, err
			}
			over = nil
		case <-tick.C:
		}
	}
}

// emitNew emits the output since the last call. rec was read before: if the job has ended
// by it, no more output follows.
func (t *tail) emitNew(rec *Record) error {
	if err := t.open(rec); err != nil {
		return err
	}
	for _, r := range t.streams {
		if err := t.drain(r); err != nil {
			return err
		}
	}
	return nil
}

// open opens each stream that exists and is not yet open: the file that grows, or,
// if there is an outcome, what is kept of it. The files of a job appear one by one, the
// first when its command is about to start.
func (t *tail) open(rec *Record) error {
	for _, of := range []Stream{Stdout, Stderr} {
		if slices.ContainsFunc(t.streams, func(r *cursor) bool { return r.of == of }) {
			continue
		}
		r, err := t.openFile(of)
		if r != nil && rec.Far != nil && r.r.Size() == 0 { // most far ends print to the result only
			_ = r.r.Close()
			r = nil
		}
		if r == nil && err == nil && rec.Outcome != nil {
			r, err = t.openKept(of, rec)
		}
		if err == nil && r != nil {
			t.streams = append(t.streams, r)
			err = t.begin(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// openFile opens the file of a stream; it returns nil if the file is missing.
func (t *tail) openFile(of Stream) (*cursor, error) {
	f, err := t.s.root.OpenFile(t.id+"/"+string(of), os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &cursor{of: of, r: growingFile{f}}, nil
}

// keptContent is the content of a stream that the result of a job has.
type keptContent struct{ *bytes.Reader }

// Close does nothing.
func (keptContent) Close() error { return nil }

// openKept opens the artifact of a stream, or its content in the result, where that of a job
// at a far end is if it is short; it returns nil if there is neither.
func (t *tail) openKept(of Stream, rec *Record) (r *cursor, err error) {
	out := rec.Outcome.Stdout
	if of == Stderr {
		out = rec.Outcome.Stderr
	}
	if out.Artifact == "" {
		if out.Bytes == 0 || rec.Far == nil {
			return nil, nil
		}
		res, err := t.s.resultOf(rec)
		if err != nil {
			return nil, err
		}
		run := cmp.Or(res.Exec, res)
		stream := &run.Stdout
		if of == Stderr {
			stream = &run.Stderr
		}
		content, _ := stream.Content()
		return &cursor{of: of, r: keptContent{bytes.NewReader(content)}}, nil
	}
	if t.stored == nil {
		if t.stored, err = artifact.OpenRead(artifact.Options{Dir: t.s.dir, Now: t.s.now, NoMaintenance: true}); err != nil {
			return nil, err
		}
	}
	object, err := t.stored.Get(out.Artifact)
	if err != nil {
		return nil, err
	}
	return &cursor{of: of, r: object}, nil
}

// begin finds where the last lines begin, within the last 64 KiB.
func (t *tail) begin(r *cursor) error {
	if t.lines < 0 {
		return nil
	}
	size := r.r.Size()
	window := int64(64 << 10)
	if t.most > 0 {
		window = min(window, t.most)
	}
	from := max(0, size-window)
	end := make([]byte, size-from)
	if _, err := r.r.ReadAt(end, from); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	r.off = from + int64(lastLines(end, t.lines))
	return nil
}

// lastLines returns where the last n lines of p begin.
func lastLines(p []byte, n int) int {
	at := len(p)
	if at > 0 && p[at-1] == '\n' && n > 0 {
		at--
	}
	for ; n > 0; n-- {
		if at = bytes.LastIndexByte(p[:at], '\n'); at < 0 {
			return 0
		}
	}
	return min(at+1, len(p))
}

// drain emits a stream to its present end.
func (t *tail) drain(r *cursor) error {
	if t.buf == nil {
		t.buf = make([]byte, 64<<10)
	}
	for {
		n, err := r.r.ReadAt(t.buf, r.off)
		r.off += int64(n)
		if n > 0 {
			if err := t.emit(r.of, t.buf[:n]); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Printed returns how much masked output a job that is not over has printed so far. It
// reads all of that output.
func (s *Store) Printed(id string) (stdout, stderr Output, err error) {
	id, err = s.Resolve(id)
	if err == nil {
		stdout, err = s.measure(id + "/" + stdoutFile)
	}
	if err == nil {
		stderr, err = s.measure(id + "/" + stderrFile)
	}
	if err != nil {
		err = fmt.Errorf("look at the output of job %q: %w", id, err)
	}
	return stdout, stderr, err
}

// measure counts the bytes and lines of a file; a missing one has none.
func (s *Store) measure(name string) (Output, error) {
	f, err := s.root.OpenFile(name, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return Output{}, nil
	}
	if err != nil {
		return Output{}, err
	}
	defer f.Close()
	var m meter
	_, err = io.CopyBuffer(&m, struct{ io.Reader }{f}, make([]byte, 64<<10))
	return m.output(), err
}

// A meter counts the bytes written to it.
type meter struct {
	bytes, newlines int64
	last            byte
}

func (m *meter) Write(p []byte) (int, error) {
	m.last = p[len(p)-1] // io.Copy writes no empty p
	m.bytes += int64(len(p))
	m.newlines += int64(bytes.Count(p, []byte{'\n'}))
	return len(p), nil
}

// output counts an unfinished last line as one.
func (m *meter) output() Output {
	o := Output{Bytes: m.bytes, Lines: m.newlines}
	if m.bytes > 0 && m.last != '\n' {
		o.Lines++
	}
	return o
}

package job

import (
	"io"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
)

// Inlining says which output of a finished job its result contains, instead of naming
// it.
type Inlining struct {
	Placement envelope.Placement // what the dialect keeps in the store
	Limit     int64              // bytes of the compact protocol/v1 data
	Parse     envelope.Parse     // how stdout is interpreted
}

// Inline puts output of a finished run that is in the store into its result, as far as
// a run in the foreground would have had it there. The excerpt stays where the store no
// longer has the output.
func (s *Store) Inline(res *envelope.Result, in Inlining) {
	keep := in.Placement.Keep
	if keep.Wants(res, &res.Stdout) || res.Exec != nil && !res.Nested {
		return
	}
	slots := []*inlineStream{{stream: &res.Stdout, parse: in.Parse}, {stream: &res.Stderr, parse: envelope.ParseText}}
	s.outputs.fetch(slots, in.Limit, keep)
	if keep.Wants(res, &res.Stderr) {
		slots[1].spill()
	}
	envelope.MakeRoom(slots, (*inlineStream).weight, func() bool { return in.Placement.Fits(res, in.Limit) }, (*inlineStream).spill)
	for _, o := range slots {
		if o.stream.Artifact != "" {
			o.stream.Excerpt = o.spilled.Excerpt
		}
	}
	in.Placement.ShrinkExcerpts(res, in.Limit, leastExcerpt)
}

// leastExcerpt is the size to which an excerpt is shortened for want of room, in bytes.
const leastExcerpt = 8 << 10

// An inlineStream is a stream of a result whose content the result may contain.
type inlineStream struct {
	stream  *envelope.Stream
	parse   envelope.Parse
	spilled envelope.Stream // the stream that names its artifact
	inline  bool
}

// spill leaves the stream in the store.
func (o *inlineStream) spill() {
	if o.inline {
		*o.stream, o.inline = o.spilled, false
		if o.stream.Excerpt != nil { // until there is room for more
			o.stream.Excerpt = o.stream.Excerpt.Within(leastExcerpt)
		}
	}
}

// weight returns what going back to the store would save.
func (o *inlineStream) weight() int64 {
	if !o.inline {
		return 0
	}
	return o.stream.Bytes
}

// fetch puts the streams inline that are whole and not over the limit.
func (u *outputs) fetch(slots []*inlineStream, limit int64, keep envelope.Keep) {
	a, err := artifact.OpenRead(artifact.Options{Dir: u.dir, Now: u.now, NoMaintenance: true})
	if err != nil {
		return
	}
	defer a.Close()
	for _, o := range slots {
		o.spilled = *o.stream
		if o.stream.Artifact == "" || o.stream.Truncated || o.stream.Bytes > limit {
			continue
		}
		if text, err := readAll(a, o.stream.Artifact); err == nil {
			var fresh envelope.Stream
			_ = fresh.Interpret(text, o.parse) // whether it parses as JSON was judged when the command ended
			if keep.WantsExact(&fresh) {
				fresh.Exact, fresh.Read = o.stream.Artifact, o.stream.Read
			}
			*o.stream, o.inline = fresh, true
		}
	}
}

func readAll(a *artifact.Store, digest string) ([]byte, error) {
	o, err := a.Get(digest)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	return io.ReadAll(o)
}

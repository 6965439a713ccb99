package wrap

import "github.com/envwrap/envwrap/envelope"

// The bytes of excerpt, both streams together, unless the caller says otherwise:
// a failure is to be diagnosed, a success is mostly known to be one.
const (
	excerptError = 8 << 10
	excerptOK    = 2 << 10
)

// excerptSize returns how many bytes of excerpt the record has.
func (r *run) excerptSize(res *envelope.Result) int {
	switch {
	case r.c.Excerpt > 0:
		return r.c.Excerpt
	case res.Outcome.OK():
		return excerptOK
	}
	return excerptError
}

// shareExcerpts divides the bytes of excerpt between two streams that are in the
// store: each has half, and what one does not need is the other's.
func (r *run) shareExcerpts(res *envelope.Result) {
	var stored []slot
	for _, s := range r.slots(res) {
		if s.stream.Artifact != "" && s.stream.Excerpt != nil {
			stored = append(stored, s)
		}
	}
	if len(stored) < 2 {
		return
	}
	size := r.excerptSize(res)
	a, b := stored[0], stored[1]
	if len(a.stream.Excerpt.Text) > len(b.stream.Excerpt.Text) {
		a, b = b, a
	}
	share := min(size/2, len(a.stream.Excerpt.Text))
	for s, n := range map[*slot]int{&a: share, &b: size - share} {
		if len(s.stream.Excerpt.Text) > n {
			s.stream.Excerpt = s.capture.sum.Excerpt(n)
		}
	}
}

package job

import (
	"io"
	"slices"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
)

// outputs pins and reads the output of jobs in the artifact store.
type outputs struct {
	dir string // of the artifact store
	now func() time.Time
}

// pin keeps a job's artifacts from the collector. If that fails they still have their
// grace period.
func (u *outputs) pin(rec *Record) {
	u.each(rec, func(a *artifact.Store, digest, owner string) {
		_, _ = a.Pin(digest, owner, rec.Ended.Add(Retain))
	})
}

func (u *outputs) unpin(rec *Record) {
	u.each(rec, func(a *artifact.Store, digest, owner string) { _, _ = a.Unpin(digest, owner) })
}

func (u *outputs) each(rec *Record, do func(a *artifact.Store, digest, owner string)) {
	digests := append([]string{rec.Outcome.Stdout.Artifact, rec.Outcome.Stderr.Artifact}, rec.Outcome.Within...)
	digests = slices.DeleteFunc(digests, func(digest string) bool { return digest == "" })
	if len(digests) == 0 {
		return
	}
	a, err := artifact.OpenRead(artifact.Options{Dir: u.dir, Now: u.now, NoMaintenance: true})
	if err != nil {
		return
	}
	defer a.Close()
	for _, digest := range digests {
		do(a, digest, "job-"+rec.ID)
	}
}

// restore adds the stored output of a job to a result that was made of its record.
func (u *outputs) restore(rec *Record, res *envelope.Result) {
	u.each(rec, func(a *artifact.Store, digest, _ string) {
		if digest == rec.Outcome.Stdout.Artifact {
			restoreStream(a, rec, digest, &res.Stdout, rec.View.Parse)
		}
		if digest == rec.Outcome.Stderr.Artifact {
			restoreStream(a, rec, digest, &res.Stderr, envelope.ParseText)
		}
	})
}

func restoreStream(a *artifact.Store, rec *Record, digest string, stream *envelope.Stream, parse envelope.Parse) {
	o, err := a.Get(digest)
	if err != nil {
		return
	}
	defer o.Close()
	sum := envelope.Summarizer{Parse: parse}
	if _, err := io.Copy(&sum, o); err == nil {
		*stream = spilled(&sum, digest, rec)
	}
}

// lostExcerpt is how many bytes of excerpt a stream of a lost job has unless the
// submit said otherwise.
const lostExcerpt = 4 << 10

// spilled returns a stream whose content is an artifact.
func spilled(sum *envelope.Summarizer, digest string, rec *Record) envelope.Stream {
	size := rec.View.Excerpt / 2
	if size <= 0 {
		size = lostExcerpt
	}
	return sum.Spilled(digest, "envwrap artifact cat "+envelope.ShortDigest(digest), size)
}

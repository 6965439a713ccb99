package remote

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/envwrap/envwrap/artifact"
)

// Limits of a check.
const (
	checkSize = 4 << 20 // bytes, enough to measure a rate
	checkRun  = "envwrap remote check\n"
	mostSkew  = 5 * time.Minute
	emptyKey  = "cas/e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
)

// Check tests a remote: connection, permissions, clock, a round trip, speed, and whether it
// keeps remembered runs. It leaves three objects there, always the same ones.
func (r *Remote) Check() []Finding {
	data := make([]byte, checkSize)
	_, _ = rand.NewChaCha8([32]byte([]byte("envwrap remote check, 4 MiB     "))).Read(data)
	sum := sha256.Sum256(data)
	key := "cas/" + hex.EncodeToString(sum[:])

	all := r.b.describe()
	add := func(name string, err error, text string, args ...any) bool {
		if err != nil {
			all = append(all, Finding{name, false, err.Error()})
			return false
		}
		all = append(all, Finding{name, true, fmt.Sprintf(text, args...)})
		return true
	}
	begun := time.Now()
	_, err := r.b.size(r.ctx, key)
	took := time.Since(begun)
	if errors.Is(err, artifact.ErrNotFound) {
		err = nil
	}
	if !add("reach", err, "answers in %s", took.Round(100*time.Microsecond)) {
		return all
	}
	off := time.Duration(r.clock.off.Load())
	switch {
	case !r.clock.seen.Load():
		add("clock", nil, "the remote does not say its time")
	case off.Abs() > mostSkew:
		add("clock", fmt.Errorf("the clocks differ by %s: set that of this machine, or signatures are refused", off.Abs().Round(time.Second)), "")
	default:
		add("clock", nil, "differs by less than %s", max(off.Abs(), time.Second).Round(time.Second)+time.Second)
	}
	// An empty object first: a refusal of a large one may cut the connection before
	// its reason is read.
	err = r.b.put(r.ctx, emptyKey, 0, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(nil)), nil })
	if err != nil {
		err = fmt.Errorf("%w: nothing can be pushed", err)
	}
	if !add("rights", err, "objects can be stored") {
		return all
	}
	begun = time.Now()
	err = r.b.put(r.ctx, key, checkSize, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil })
	up := time.Since(begun)
	var got bytes.Buffer
	begun = time.Now()
	if err == nil {
		err = r.b.get(r.ctx, key, 0, checkSize, &got)
	}
	down := time.Since(begun)
	if err != nil {
		add("round trip", err, "")
		return all
	}
	if !bytes.Equal(got.Bytes(), data) {
		err = errors.New("other bytes came back than were sent: nothing of this remote would be believed")
	}
	add("round trip", err, "4 MiB came back as they were sent")
	rate := func(d time.Duration) float64 { return checkSize / 1e6 / max(d.Seconds(), 1e-6) }
	add("speed", nil, "%.0f MB/s up, %.0f MB/s down", rate(up), rate(down))
	add("runs", r.checkRuns(), "entries of remembered runs are kept (--cache-remote)")
	return all
}

// checkRuns stores an object below ac/ and reads it.
func (r *Remote) checkRuns() error {
	sum := sha256.Sum256([]byte(checkRun))
	key := "ac/" + hex.EncodeToString(sum[:])
	err := r.b.put(r.ctx, key, int64(len(checkRun)), func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(checkRun)), nil })
	var got bytes.Buffer
	if err == nil {
		err = r.b.get(r.ctx, key, 0, int64(len(checkRun)), &got)
	}
	switch {
	case err != nil:
		return fmt.Errorf("%w: --cache-remote cannot be used; artifacts can", err)
	case got.String() != checkRun:
		return errors.New("other bytes came back than were sent below ac/: --cache-remote cannot be used")
	}
	return nil
}

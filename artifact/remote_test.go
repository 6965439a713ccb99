package artifact

import (
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A remote is one that has objects in memory.
type remote struct {
	objects map[string]string
	failure error
	fetched []string
	sent    []string
}

func (r *remote) Fetch(digest string, w io.Writer) error {
	r.fetched = append(r.fetched, digest)
	text, ok := r.objects[digest]
	if !ok && r.failure == nil {
		return ErrNotFound
	}
	if _, err := io.WriteString(w, text); err != nil {
		return err
	}
	return r.failure
}

func (r *remote) Send(digest string, _ int64) { r.sent = append(r.sent, digest) }

func openRemote(t *testing.T, r *remote) *Store {
	t.Helper()
	s, err := Open(Options{Dir: filepath.Join(t.TempDir(), "store"), NoMaintenance: true, Fetch: r, Send: r})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

const (
	remoteText   = "hello\n"
	remoteDigest = digestPrefix + "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"
)

// A missing object is fetched once, kept, and not sent back.
func TestFetch(t *testing.T) {
	r := &remote{objects: map[string]string{remoteDigest: remoteText}}
	s := openRemote(t, r)
	for range 2 {
		o, err := s.Get(remoteDigest)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(o)
		o.Close()
		if string(text) != remoteText || err != nil {
			t.Fatalf("got %q, %v", text, err)
		}
	}
	if !slices.Equal(r.fetched, []string{remoteDigest}) || len(r.sent) > 0 {
		t.Errorf("fetched %q, sent %q", r.fetched, r.sent)
	}
}

// Bytes that do not match, or that break off, are kept nowhere. A prefix names
// nothing that is elsewhere.
func TestFetchFails(t *testing.T) {
	broken := errors.New("connection reset")
	for name, c := range map[string]struct {
		remote *remote
		id     string
		want   error
	}{
		"missing":  {&remote{}, remoteDigest, ErrNotFound},
		"prefix":   {&remote{objects: map[string]string{remoteDigest: remoteText}}, remoteDigest[:20], ErrNotFound},
		"forged":   {&remote{objects: map[string]string{remoteDigest: "else\n"}}, remoteDigest, ErrCorrupt},
		"cut":      {&remote{objects: map[string]string{remoteDigest: "hel"}, failure: broken}, remoteDigest, broken},
		"no luck":  {&remote{failure: broken}, remoteDigest, broken},
		"no digit": {&remote{}, "xyz", ErrID},
	} {
		s := openRemote(t, c.remote)
		_, err := s.Get(c.id)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: got %v", name, err)
		}
		if len(c.remote.fetched) > 0 && c.id != remoteDigest {
			t.Errorf("%s: fetched %q", name, c.remote.fetched)
		}
		if found, err := s.objects.names(strings.TrimPrefix(remoteDigest, digestPrefix)); len(found) > 0 || err != nil {
			t.Errorf("%s: the store has %q, %v", name, found, err)
		}
	}
}

// Committed objects are sent, dropped ones are not.
func TestSend(t *testing.T) {
	r := &remote{}
	s := openRemote(t, r)
	for _, commit := range []bool{false, true} {
		p, err := s.Create()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Discard)
		if _, err := io.WriteString(p, remoteText); err != nil {
			t.Fatal(err)
		}
		if !commit {
			p.Discard()
			continue
		}
		if _, err := p.Commit(Info{}); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(r.sent, []string{remoteDigest}) {
		t.Errorf("sent %q", r.sent)
	}
}

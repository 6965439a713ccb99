package artifact

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

// What a live part was given is read by its name at once, whatever came before it was live,
// and after it became an object.
func TestLive(t *testing.T) {
	for name, before := range map[string]int{"nothing": 0, "a buffer": 10, "fast output": largeStep + 3*largeSize + 10} {
		t.Run(name, func(t *testing.T) {
			s := openTemp(t)
			p, err := s.Create()
			if err != nil {
				t.Fatal(err)
			}
			defer p.Discard()
			var want bytes.Buffer
			write := func(text string) {
				t.Helper()
				want.WriteString(text)
				if n, err := p.Write([]byte(text)); n != len(text) || err != nil {
					t.Fatal(n, err)
				}
			}
			read := func(part, ahead string) {
				t.Helper()
				o, err := s.Get(part)
				if err != nil {
					t.Fatal(err)
				}
				defer o.Close()
				if got, err := io.ReadAll(o); err != nil || string(got) != want.String()+ahead || o.Digest() != part && ahead != "" {
					t.Fatalf("%d bytes of %d, ending with %q, %v, %s", len(got), want.Len(), got[max(0, len(got)-20):], err, o.Digest())
				}
			}
			write(strings.Repeat("0123456789abcdef", before/16) + strings.Repeat("x", before%16))
			p.WriteAhead(0, []byte("lost: it is not live"))
			part, err := p.Live()
			again, againErr := p.Live()
			if err != nil || againErr != nil || again != part || !(Stores{s}).PartAlive(part) {
				t.Fatalf("%q, %q, %v, %v", part, again, err, againErr)
			}
			read(part, "")
			p.WriteAhead(0, []byte("name"))
			p.WriteAhead(4, []byte("? "))
			read(part, "name? ")
			write("na")
			read(part, "me? ")
			write("me? ada\n")
			p.WriteAhead(0, []byte("next is"))
			write("new")
			p.WriteAhead(0, nil) // it was not that
			read(part, "")
			write(strings.Repeat("fast\n", largeStep/5))
			p.WriteAhead(0, []byte("never printed"))
			digest, err := p.Commit(Info{})
			if err != nil {
				t.Fatal(err)
			}
			read(part, "")
			read(digest, "")
			if v, err := s.Verify(Check{IDs: []string{digest}}); err != nil || len(v.Faults) != 0 || v.Bytes != int64(want.Len()) {
				t.Errorf("verify found %+v, %v", v, err)
			}
			if (Stores{s}).PartAlive(part) {
				t.Error("its writer is done")
			}
		})
	}
}

// Of a writer that was killed the part is read, and so is the object that Recover makes
// of it. No other name is a part's name.
func TestLiveWriterDies(t *testing.T) {
	s := openTemp(t)
	p, err := s.Create()
	if err != nil {
		t.Fatal(err)
	}
	part, err := p.Live()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Write([]byte("one\n")); err != nil {
		t.Fatal(err)
	}
	p.WriteAhead(0, []byte("two"))
	p.part.Close() // as the kernel does
	for _, step := range []func() error{
		func() error { return nil },
		func() error { _, err := s.Recover(); return err },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
		o, err := s.Get(part)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(o); string(got) != "one\ntwo" || err != nil || (Stores{s}).PartAlive(part) {
			t.Errorf("%q, %v", got, err)
		}
		o.Close()
	}
	for _, name := range []string{"../VERSION.1", ".", "..", "run.9", `a\b.1`} {
		if _, err := s.Get(name); !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrID) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// A part that cannot be written fails as any Write does, and leaves nothing.
func TestLiveFails(t *testing.T) {
	s := openTemp(t)
	p, err := s.Create()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Write([]byte("text")); err != nil {
		t.Fatal(err)
	}
	p.part.Close()
	if part, err := p.Live(); err == nil || part != "" {
		t.Errorf("%q, %v", part, err)
	}
	p.WriteAhead(0, []byte("x"))
	if _, err := p.Live(); err == nil {
		t.Error("it is live again")
	}
	if parts, err := s.Parts(); err != nil || len(parts) > 0 {
		t.Errorf("%v, %v", parts, err)
	}
	p, err = s.Create()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Discard()
	p.Finish()
	if _, err := p.Live(); err == nil {
		t.Error("it takes no more")
	}
}

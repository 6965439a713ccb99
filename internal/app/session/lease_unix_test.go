//go:build unix

package session

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
)

// A watched memory calls asked with each key before it answers.
type watched struct {
	memory
	asked func(key string)
}

func (w watched) Get(key string) ([]byte, error) {
	w.asked(key)
	return w.memory.Get(key)
}

// leaseIn returns the key of the lease in a memory, and that of the entry.
func leaseIn(t *testing.T, m memory) (lease, entry string) {
	t.Helper()
	for key, text := range m {
		if bytes.HasPrefix(text, []byte("envwrap-shared-lease ")) {
			lease = key
		} else {
			entry = key
		}
	}
	if lease == "" {
		t.Fatalf("no lease was stored: %q", slices.Collect(maps.Keys(m)))
	}
	return lease, entry
}

// While another machine has the lease of a run, its entry is waited for; a lease that has
// ended, or that nobody trusted has signed, is not.
func TestLease(t *testing.T) {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	strange, stranger, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	here, _ := clocked(t)
	o := counting(here, "echo done")
	made := memory{}
	o.Shared = &Shared{Remote: made, Key: private}
	remote := watched{memory: made}
	var held []byte // while the command ran
	remote.asked = func(string) {
		for _, text := range made {
			held = slices.Clone(text)
		}
	}
	o.Shared.Remote = remote
	do(t, here, o)
	lease, entry := leaseIn(t, made)
	if !bytes.Contains(made[lease], []byte(`"until":"`+here.Now().Format(time.RFC3339Nano)+`"`)) {
		t.Errorf("the lease holds after the run: %s", made[lease])
	}
	made[lease] = held
	for _, c := range []struct {
		name    string
		later   time.Duration
		trusted ed25519.PublicKey
		cancel  bool
		source  string
		ran     bool
		kind    envelope.Kind
	}{
		{"its entry comes", 0, public, false, "cache", false, envelope.Success},
		{"it has ended", 6 * time.Minute, public, false, "", true, envelope.Success},
		{"it ends too late", -2 * time.Minute, public, false, "", true, envelope.Success},
		{"nobody trusted has signed it", 0, strange, false, "", true, envelope.Success},
		{"envwrap is told to stop", 0, public, true, "", false, envelope.Canceled},
	} {
		t.Run(c.name, func(t *testing.T) {
			there := testEnv(t)
			there.Environ = SetAll(slices.Clone(here.Environ), "XDG_STATE_HOME="+filepath.Join(there.TempDir, "state"))
			now := here.Now().Add(c.later)
			there.Now = func() time.Time { return now }
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			leases := 0
			remote := watched{memory: memory{lease: made[lease]}}
			remote.asked = func(key string) {
				if key != lease {
					return
				}
				if leases++; leases > 1 {
					return
				}
				if c.cancel {
					cancel()
				} else if c.source != "" {
					remote.memory[entry] = made[entry]
				}
			}
			o := o
			o.Shared = &Shared{Remote: remote, Key: stranger, Trusted: []ed25519.PublicKey{c.trusted, strange}}
			before := runs(t, here)
			res, err := run(ctx, there, o)
			if err != nil {
				t.Fatal(err)
			}
			if ran := runs(t, here) > before; ran != c.ran || res.Source != c.source || res.Outcome.Kind != c.kind {
				t.Errorf("ran %v, source %q, %+v", ran, res.Source, res.Outcome)
			}
			if taken := !bytes.Equal(remote.memory[lease], made[lease]); taken != c.ran {
				t.Errorf("taken: %v, after a run: %v", taken, c.ran)
			}
		})
	}
}

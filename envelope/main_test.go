package envelope

import (
	"os"
	"sync"
	"testing"

	"github.com/envwrap/envwrap/internal/test/testenv"
)

func TestMain(m *testing.M) { os.Exit(testenv.Run(m)) }

// A memo has what is made once for each dialect, for all tests.
type memo[V any] struct {
	mu   sync.Mutex
	made map[string]V
}

func (m *memo[V]) of(d Dialect, makeOne func() V) V {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.made[d.Name()]
	if !ok {
		if m.made == nil {
			m.made = map[string]V{}
		}
		v = makeOne()
		m.made[d.Name()] = v
	}
	return v
}

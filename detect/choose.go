package detect

import (
	"math/bits"
	"strings"
)

// A group is a set of rows of the table: bit i is agents[i].
type group uint64

// matching returns the agents with a marker in env.
func matching(env Env) group {
	var g group
	named := nameInEnv(env)
	for i := range agents {
		if agents[i].marks(env, named) {
			g |= 1 << i
		}
	}
	return g
}

func (g group) empty() bool   { return g == 0 }
func (g group) several() bool { return bits.OnesCount64(uint64(g)) > 1 }
func (g group) has(i int) bool {
	return g&(1<<i) != 0
}

func (g group) ids() []string {
	ids := make([]string, 0, bits.OnesCount64(uint64(g)))
	for i := range agents {
		if g.has(i) {
			ids = append(ids, agents[i].id)
		}
	}
	return ids
}

// withoutSuperseded drops the agents whose markers another one sets as well,
// and hosts of agents where there is another agent.
func (g group) withoutSuperseded() group {
	if !g.several() {
		return g
	}
	left := g
	for i := range agents {
		if !g.has(i) {
			continue
		}
		for _, id := range agents[i].over {
			left &^= 1 << rowOf(id)
		}
	}
	for i := range agents {
		if agents[i].lowest && left.several() {
			left &^= 1 << i
		}
	}
	return left
}

// rowOf returns the index of a row; a test holds that every id that is asked
// for has one.
func rowOf(id string) int {
	for i := range agents {
		if agents[i].id == id {
			return i
		}
	}
	return -1
}

// preferred returns the agent of g that AI_AGENT names, else the one that AGENT
// names, else the first. g is not empty.
func (g group) preferred(env Env) *agent {
	named, _ := env("AGENT")
	for _, id := range [...]string{nameInEnv(env), exactNameOf(strings.TrimSpace(named))} {
		if i := rowOf(id); i >= 0 && g.has(i) {
			return &agents[i]
		}
	}
	return &agents[bits.TrailingZeros64(uint64(g))]
}

// maxLevels is how far up innermost looks.
const maxLevels = 32

// innermost looks at the environments of our ancestors, nearest first. An agent
// has no markers of its own in its environment, only its commands have: the
// agents whose markers are the first to be missing are the nearest. All of g is
// returned where none is ever missing.
func innermost(g group, ancestors Ancestors) group {
	if ancestors == nil {
		return g
	}
	for level := 1; level <= maxLevels; level++ {
		env, ok := ancestors(level)
		if !ok {
			break
		}
		if gone := g &^ matching(env); gone != 0 {
			return gone
		}
	}
	return g
}

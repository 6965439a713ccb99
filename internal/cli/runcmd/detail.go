package runcmd

import (
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/cli"
	"github.com/envwrap/envwrap/internal/session"
)

// detail says whether an envelope has all members or is lean (--detail).
type detail int

const (
	detailAuto detail = iota // lean where the agent itself reads stdout
	detailFull
	detailLean
)

func detailWords() []cli.Word[detail] {
	return []cli.Word[detail]{{Name: "auto", Value: detailAuto}, {Name: "full", Value: detailFull}, {Name: "lean", Value: detailLean}}
}

// of is the detail of an envelope; reads reports whether the agent itself reads
// it.
func (d detail) of(reads bool) envelope.Detail {
	if d == detailLean || d == detailAuto && reads {
		return envelope.DetailLean
	}
	return envelope.DetailFull
}

// budgetFor is the budget in characters, 0 for none. That of an agent binds only
// where the agent itself reads the envelope.
func budgetFor(n int, reads bool, agent string) int {
	switch {
	case n != BudgetAuto:
		return n
	case reads:
		return session.BudgetOf(agent)
	}
	return 0
}

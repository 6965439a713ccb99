package runcmd

import (
	"testing"

	"github.com/envwrap/envwrap/envelope"
)

func TestDetailAndBudget(t *testing.T) {
	for _, tt := range []struct {
		detail       detail
		budget       int
		reads        bool
		want         envelope.Detail
		wantedBudget int
	}{
		{detailAuto, BudgetAuto, true, envelope.DetailLean, 9000},
		{detailAuto, BudgetAuto, false, envelope.DetailFull, 0},
		{detailLean, 500, false, envelope.DetailLean, 500},
		{detailFull, 0, true, envelope.DetailFull, 0},
	} {
		if got := tt.detail.of(tt.reads); got != tt.want {
			t.Errorf("%v, read by the agent %v: %v", tt.detail, tt.reads, got)
		}
		if got := budgetFor(tt.budget, tt.reads, "codex"); got != tt.wantedBudget {
			t.Errorf("budget %d, read by the agent %v: %d, want %d", tt.budget, tt.reads, got, tt.wantedBudget)
		}
	}
}

// --whole leaves nothing out, whatever else is said.
func TestWhole(t *testing.T) {
	o := DefaultRunOptions()
	o.whole, o.budget = true, 100
	o.liftLimits()
	if o.budget != 0 || o.MaxCapture != 0 || o.InlineLimit <= 1<<40 || o.includeOutput != envelope.IncludeAlways {
		t.Errorf("%+v", o)
	}
	include := &RunOptions{whole: true, includeOutput: envelope.IncludeNever}
	include.liftLimits()
	if include.includeOutput != envelope.IncludeNever {
		t.Error("output is included that is not wanted")
	}
	usual := DefaultRunOptions()
	usual.liftLimits()
	if want := DefaultRunOptions(); usual.MaxCapture != want.MaxCapture || usual.InlineLimit != want.InlineLimit {
		t.Errorf("without it: %+v", usual)
	}
}

package detect

import (
	"slices"
	"testing"
)

// above makes ancestors with these environments, the parent first.
func above(envs ...[]string) Ancestors {
	return func(level int) (Env, bool) {
		if level > len(envs) {
			return nil, false
		}
		return vars(envs[level-1]...), true
	}
}

func TestSeveralAgents(t *testing.T) {
	claude, codex, crush := "CLAUDECODE=1", "CODEX_CI=1", "CRUSH=1"
	both := []string{claude, codex}
	for _, c := range []struct {
		name       string
		env        []string
		ancestors  Ancestors
		agent      string
		candidates []string
		ambiguous  bool
	}{
		{
			"codex inside claude", both,
			above(both, both, []string{claude}, nil),
			"codex",
			[]string{"claude", "codex"},
			false,
		},
		{
			"claude inside codex", both,
			above(both, []string{codex}, nil),
			"claude",
			[]string{"claude", "codex"},
			false,
		},
		{
			"three deep",
			[]string{claude, codex, crush},
			above([]string{claude, codex, crush}, []string{claude, crush}, []string{claude}),
			"codex",
			[]string{"claude", "codex", "crush"},
			false,
		},
		{
			"one that only AI_AGENT names",
			[]string{claude, "AI_AGENT=devin"},
			above([]string{claude, "AI_AGENT=devin"}, []string{claude, "AI_AGENT=claude-code"}),
			"devin",
			[]string{"claude", "devin"},
			false,
		},
		{
			"gone at once: table order", both,
			above(both, nil),
			"claude",
			[]string{"claude", "codex"},
			true,
		},
		{
			"never gone: table order", both,
			func(int) (Env, bool) { return vars(both...), true },
			"claude",
			[]string{"claude", "codex"},
			true,
		},
		{
			"no ancestors: AI_AGENT",
			[]string{claude, codex, "AI_AGENT=codex-cli"},
			above(),
			"codex",
			[]string{"claude", "codex"},
			true,
		},
		{
			"nobody to ask: AGENT",
			[]string{claude, codex, "AGENT=codex"},
			nil,
			"codex",
			[]string{"claude", "codex"},
			true,
		},
		{
			"AI_AGENT before AGENT",
			[]string{claude, codex, "AI_AGENT=claude-code", "AGENT=codex"},
			nil,
			"claude",
			[]string{"claude", "codex"},
			true,
		},
		{
			"AGENT names none of them",
			[]string{claude, codex, "AGENT=gemini"},
			nil,
			"claude",
			[]string{"claude", "codex"},
			true,
		},
		{
			"Copilot's editor hosts Claude",
			[]string{claude, "AI_AGENT=github_copilot_vscode_agent"},
			nil,
			"copilot",
			[]string{"claude", "copilot"},
			true,
		},
	} {
		r := Detect(vars(c.env...), c.ancestors)
		if r.Agent != c.agent || r.Ambiguous != c.ambiguous || !slices.Equal(r.Candidates, c.candidates) || !r.Found {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

// Ancestors are looked at only where they can tell something, and not for ever.
func TestAncestorsAreAskedSparingly(t *testing.T) {
	asked := 0
	count := func(env Env) Ancestors {
		return func(level int) (Env, bool) {
			asked = max(asked, level)
			return env, true
		}
	}
	one := vars("CLAUDECODE=1", "AGENT=amp", "WARP_RUN_ID=1")
	if Detect(one, count(one)); asked != 0 {
		t.Errorf("one agent: asked for level %d", asked)
	}
	two := vars("CLAUDECODE=1", "CODEX_CI=1")
	if Detect(two, count(two)); asked != 32 {
		t.Errorf("two agents: asked up to level %d, want 32", asked)
	}
}

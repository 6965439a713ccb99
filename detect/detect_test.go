package detect

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// vars makes an environment of lines NAME=value.
func vars(lines ...string) Env {
	return func(name string) (string, bool) {
		for _, l := range lines {
			if n, v, _ := strings.Cut(l, "="); n == name {
				return v, true
			}
		}
		return "", false
	}
}

func TestOneAgent(t *testing.T) {
	for _, c := range []struct{ env, agent, signals string }{
		{"CLAUDECODE=1", "claude", "CLAUDECODE"},
		{"CLAUDE_CODE_SESSION_ID=0a1b", "claude", "CLAUDE_CODE_SESSION_ID"},
		{"CLAUDE_CODE_CHILD_SESSION=1", "claude", "CLAUDE_CODE_CHILD_SESSION"},
		{"CLAUDE_CODE_ENTRYPOINT=sdk-ts", "claude", "CLAUDE_CODE_ENTRYPOINT"},
		{"CLAUDE_CODE=1", "claude", "CLAUDE_CODE"},
		{"AI_AGENT=claude-code_2-1-263_agent", "claude", "AI_AGENT"},
		{"CLAUDECODE=1;CLAUDE_CODE_ENTRYPOINT=cli;AI_AGENT=claude-code_2", "claude", "CLAUDECODE CLAUDE_CODE_ENTRYPOINT AI_AGENT"},
		{"CLAUDECODE=1;CLAUDE_CODE_IS_COWORK=1", "cowork", "CLAUDE_CODE_IS_COWORK CLAUDECODE"},
		{"CODEX_THREAD_ID=t", "codex", "CODEX_THREAD_ID"},
		{"CODEX_CI=1", "codex", "CODEX_CI"},
		{"CODEX_SANDBOX=seatbelt", "codex", "CODEX_SANDBOX"},
		{"CODEX_SANDBOX_NETWORK_DISABLED=1;TERM=dumb;NO_COLOR=1;PAGER=cat", "codex", "CODEX_SANDBOX_NETWORK_DISABLED"},
		{"CODEX_INTERNAL_ORIGINATOR_OVERRIDE=x", "codex", "CODEX_INTERNAL_ORIGINATOR_OVERRIDE"},
		{"GEMINI_CLI=1", "gemini", "GEMINI_CLI"},
		{"CURSOR_AGENT=1", "cursor", "CURSOR_AGENT"},
		{"CURSOR_EXTENSION_HOST_ROLE=agent-exec", "cursor", "CURSOR_EXTENSION_HOST_ROLE"},
		{"CURSOR_TRACE_ID=x;PAGER=head -n 10000 | cat", "cursor", "CURSOR_TRACE_ID PAGER"},
		{"CURSOR_SANDBOX=x", "cursor", "CURSOR_SANDBOX"},
		{"COPILOT_CLI=1", "copilot", "COPILOT_CLI"},
		{"COPILOT_AGENT_SESSION_ID=x", "copilot", "COPILOT_AGENT_SESSION_ID"},
		{"COPILOT_AGENT=1;AI_AGENT=github_copilot_vscode_agent", "copilot", "COPILOT_AGENT AI_AGENT"},
		{"VSCODE_AGENT=1", "copilot", "VSCODE_AGENT"},
		{"AI_AGENT=github_copilot_cloud_agent", "copilot", "AI_AGENT"},
		{"AI_AGENT=github_copilot_app_agent", "copilot", "AI_AGENT"},
		{"AGENT=amp;CLAUDECODE=1", "amp", "AGENT"},
		{"AMP_CURRENT_THREAD_ID=x;CLAUDECODE=1", "amp", "AMP_CURRENT_THREAD_ID"},
		{"AGENT_THREAD_ID=x", "amp", "AGENT_THREAD_ID"},
		{"GOOSE_TERMINAL=1", "goose", "GOOSE_TERMINAL"},
		{"AGENT=goose", "goose", "AGENT"},
		{"OPENCODE=1;AGENT=1", "opencode", "OPENCODE"},
		{"OPENCODE_PID=12", "opencode", "OPENCODE_PID"},
		{"OPENCODE_CLIENT=acp", "opencode", "OPENCODE_CLIENT"},
		{"OPENCODE_CLIENT=desktop", "opencode", "OPENCODE_CLIENT"},
		{"CRUSH=1;AGENT=crush;AI_AGENT=crush", "crush", "CRUSH AGENT AI_AGENT"},
		{"AGENT=crush", "crush", "AGENT"},
		{"CLINE_ACTIVE=true", "cline", "CLINE_ACTIVE"},
		{"ROO_ACTIVE=true", "roo", "ROO_ACTIVE"},
		{"KILO=1;AGENT=1;OPENCODE=1", "kilo", "KILO"},
		{"KILO_PID=1", "kilo", "KILO_PID"},
		{"OPENCODE=1;KILOCODE_FEATURE=cli", "kilo", "OPENCODE KILOCODE_FEATURE"},
		{"QWEN_CODE=1;GEMINI_CLI=1", "qwen", "QWEN_CODE"},
		{"QWEN_CODE_SESSION_ID=x", "qwen", "QWEN_CODE_SESSION_ID"},
		{"AUGMENT_AGENT=1", "augment", "AUGMENT_AGENT"},
		{"ANTIGRAVITY_AGENT=1", "antigravity", "ANTIGRAVITY_AGENT"},
		{"PI_CODING_AGENT=true", "pi", "PI_CODING_AGENT"},
		{"PATH=/bin:/home/u/.pi/agent/bin", "pi", "PATH"},
		{"KIRO_SESSION_ID=x;AWS_EXECUTION_ENV=AmazonQ-For-CLI", "kiro", "KIRO_SESSION_ID"},
		{"AGENT_CONTEXT_OUT=/a;AGENT_DISPLAY_OUT=/b", "kiro", "AGENT_CONTEXT_OUT AGENT_DISPLAY_OUT"},
		{"KIRO_AGENT_PATH=/a", "kiro", "KIRO_AGENT_PATH"},
		{"AWS_EXECUTION_ENV=CloudShell AmazonQ-For-CLI Version/1", "amazon-q", "AWS_EXECUTION_ENV"},
		{"OZ_RUN_ID=x", "warp", "OZ_RUN_ID"},
		{"WARP_RUN_ID=x", "warp", "WARP_RUN_ID"},
		{"WARP_RUN_ID=x;CLAUDECODE=1", "claude", "CLAUDECODE"},
		{"OPENCLAW_SHELL=exec", "openclaw", "OPENCLAW_SHELL"},
		{"JUNIE_DATA=/x", "junie", "JUNIE_DATA"},
		{"JUNIE_SHIM_PATH=/x", "junie", "JUNIE_SHIM_PATH"},
		{"WINDSURF_CASCADE_TERMINAL=1", "windsurf", "WINDSURF_CASCADE_TERMINAL"},
		{"GROK_PLUGIN_ROOT=/x;CLAUDE_CODE=1", "grok", "GROK_PLUGIN_ROOT"},
		{"GROK_PLUGIN_DATA=/x", "grok", "GROK_PLUGIN_DATA"},
		{"KIMI_PLUGIN_ROOT=/x", "kimi", "KIMI_PLUGIN_ROOT"},
		{"TRAE_AI_SHELL_ID=x", "trae", "TRAE_AI_SHELL_ID"},
		{"HERMES_SESSION_ID=x", "hermes", "HERMES_SESSION_ID"},
		{"VTCODE=1", "vtcode", "VTCODE"},
		{"IFLOW_CLI=1", "iflow", "IFLOW_CLI"},
		{"REPL_ID=x;REPLIT_MODE=assistant", "replit", "REPL_ID REPLIT_MODE"},
		{"HOME=/home/jules;USER=swebot", "jules", "HOME USER"},
		{"PS1=\n###PS1JSON###\n{", "openhands", "PS1"},
		{"OR_APP_NAME=Aider", "aider", "OR_APP_NAME"},
		{"AI_AGENT=devin", "devin", "AI_AGENT"},
		{"AI_AGENT=v0", "v0", "AI_AGENT"},
		{"AI_AGENT= Crush@1.2 ", "crush", "AI_AGENT"},
		{"AI_AGENT=Amazon_Q/1", "amazon-q", "AI_AGENT"},
		{"AI_AGENT=gemini-cli", "gemini", "AI_AGENT"},
		{"AI_AGENT=kilocode", "kilo", "AI_AGENT"},
		// Found in nothing stronger.
		{"AGENT=claude-code", "claude", "AGENT"},
		{"AGENT=codex", "codex", "AGENT"},
		{"AGENT=gemini;CODEX_PROFILE=x", "gemini", "AGENT"},
		{"AGENT=codex;AI_AGENT=something", "codex", "AGENT"},
		{"AGENT=codex;GEMINI_CLI=1", "gemini", "GEMINI_CLI"},
		{"CODEX_PROFILE=x;GEMINI_PROFILE=y", "codex", "CODEX_PROFILE"},
		{"GEMINI_PROFILE=y", "gemini", "GEMINI_PROFILE"},
		{"CODEX_PROFILE=x;CLAUDECODE=1", "claude", "CLAUDECODE"},
		// Told.
		{"ENVWRAP_AGENT=claude;CODEX_CI=1", "claude", "ENVWRAP_AGENT"},
		{"ENVWRAP_AGENT=Claude_Code", "claude", "ENVWRAP_AGENT"},
		{"ENVWRAP_AGENT=;CODEX_CI=1", "codex", "CODEX_CI"},
		{"ENVWRAP_AGENT= ;CODEX_CI=1", "codex", "CODEX_CI"},
		{"ENVWRAP_AGENT=!!!;CODEX_CI=1", "codex", "CODEX_CI"},
	} {
		r := Detect(vars(strings.Split(c.env, ";")...), nil)
		if !r.Found || r.Agent != c.agent || r.Raw != "" || r.Ambiguous || len(r.Candidates) > 0 {
			t.Errorf("%s: %+v, want %s", c.env, r, c.agent)
		}
		if got := strings.Join(r.Signals, " "); got != c.signals {
			t.Errorf("%s: signals %q, want %q", c.env, got, c.signals)
		}
	}
}

// Variables that people set by hand, or that an editor's terminal sets, name no agent.
func TestNoAgent(t *testing.T) {
	for _, env := range []string{
		"",
		"CLAUDE_CODE_SSE_PORT=1234", "ANTHROPIC_API_KEY=x", "CLAUDE_CODE_IS_COWORK=1", "CLAUDE_CODE_USE_BEDROCK=1", "CLAUDE_CONFIG_DIR=/x",
		"CODEX_HOME=/x", "CODEX_API_KEY=x", "CODEX_=1",
		"GEMINI_API_KEY=x", "GEMINI_CLI_HOME=/x", "GEMINI_CLI_NO_RELAUNCH=1",
		"CURSOR_TRACE_ID=x", "CURSOR_TRACE_ID=x;PAGER=less", "CURSOR_EXTENSION_HOST_ROLE=user",
		"COPILOT_MODEL=x", "COPILOT_ALLOW_ALL=1", "COPILOT_GITHUB_TOKEN=x", "TERM_PROGRAM=vscode;GIT_PAGER=cat",
		"AMP_HOME=/x", "AMP_API_KEY=x", "GOOSE_PROVIDER=x",
		"OPENCODE_CLIENT=cli", "OPENCODE_CONFIG=/x", "KILOCODE_FEATURE=x",
		"CLINE_DIR=/x", "ROO_CODE_TASK_ID=x", "AUGMENT_API_TOKEN=x", "ANTIGRAVITY_CLI_ALIAS=x",
		"PI_CODING_AGENT_DIR=/x", "PATH=/home/u/.pi/bin", "KIRO=1", "TERM_PROGRAM=kiro",
		"AGENT_CONTEXT_OUT=/x", "AGENT_DISPLAY_OUT=/x", "AWS_EXECUTION_ENV=AWS_Lambda_go",
		"TERM_PROGRAM=WarpTerminal", "OZ_HARNESS=claude", "OPENCLAW_SHELL=tui-local",
		"WINDSURF_CASCADE_TERMINAL_KIND=x", "KIMI_CODE_HOME=/x", "REPL_ID=x", "REPL_ID=x;REPLIT_MODE=workspace",
		"HOME=/home/jules", "USER=swebot", "PS1=$ ", "ZED_TERM=true", "PAGER=;GIT_PAGER=cat", "AIDER_MODEL=x", "OR_APP_NAME=mine",
		"DEVIN_PROJECT_DIR=/x", "FACTORY_PROJECT_DIR=/x", "CODESPACES=true", "MONOSPACE_ENV=x", "SHELL=/bin/jsh",
		"AGENT=ssh-agent", "AGENT=claudette", "AGENT=pi-hole", "AGENT=2", "AGENT=true",
		"claudecode=1", "CLAUDECODE_=1",
	} {
		r := Detect(vars(strings.Split(env, ";")...), nil)
		if r.Found || r.Agent != Unknown || r.Raw != "" || len(r.Signals) > 0 || r.Ambiguous {
			t.Errorf("%s: %+v", env, r)
		}
	}
}

// A marker whose value says no is not there, in each row of the table.
func TestValuesThatSayNo(t *testing.T) {
	variables := []string{"AI_AGENT", "AGENT", "CODEX_PROFILE", "GEMINI_PROFILE", override}
	for i := range agents {
		for _, m := range agents[i].markers {
			for _, q := range m {
				variables = append(variables, q.variable)
			}
		}
	}
	for _, name := range variables {
		for _, no := range []string{"", " ", "\t", "0", "false", "False", "no", "NO", "off", " off "} {
			if r := Detect(vars(name+"="+no), nil); r.Found {
				t.Errorf("%s=%q: %+v", name, no, r)
			}
		}
	}
}

func TestNoAgentByVariable(t *testing.T) {
	for _, value := range []string{"none", "human", "0", "Human", " none ", "off", "false", "no"} {
		r := Detect(vars("ENVWRAP_AGENT="+value, "CLAUDECODE=1"), nil)
		if r.Found || r.Agent != Unknown || !slices.Equal(r.Signals, []string{"ENVWRAP_AGENT"}) {
			t.Errorf("%q: %+v", value, r)
		}
	}
}

// An agent that cannot be named is an agent, and its name is made fit to show.
func TestUnknownAgent(t *testing.T) {
	long := strings.Repeat("a", 100)
	for _, c := range []struct{ env, raw, signal string }{
		{"AI_AGENT=Some_Agent@3", "some_agent", "AI_AGENT"},
		{"AI_AGENT=1", "1", "AI_AGENT"},
		{"AI_AGENT=claudette", "claudette", "AI_AGENT"},
		{"AI_AGENT=a\x1b[31m \"b\"\n", "a31mb", "AI_AGENT"},
		{"AI_AGENT=https://u:p@h", "https", "AI_AGENT"},
		{"AI_AGENT=" + long, long[:64], "AI_AGENT"},
		{"AI_AGENT=ü", "", "AI_AGENT"},
		{"AI_AGENT=x;CODEX_PROFILE=y", "x", "AI_AGENT"},
		{"AGENT=1", "", "AGENT"},
		{"AGENT=1;CODEX_PROFILE=y", "", "AGENT"},
		{"ENVWRAP_AGENT=my.agent;CLAUDECODE=1", "my.agent", "ENVWRAP_AGENT"},
	} {
		r := Detect(vars(strings.Split(c.env, ";")...), nil)
		if !r.Found || r.Agent != Unknown || r.Raw != c.raw || !slices.Equal(r.Signals, []string{c.signal}) {
			t.Errorf("%q: %+v, want raw %q by %s", c.env, r, c.raw, c.signal)
		}
	}
}

func TestHost(t *testing.T) {
	for _, c := range []struct{ env, host, agent string }{
		{"TERM_PROGRAM=vscode", "vscode", Unknown},
		{"TERM_PROGRAM=vscode;CURSOR_TRACE_ID=x", "cursor", Unknown},
		{"TERM_PROGRAM=vscode;CURSOR_TRACE_ID=x;CLAUDECODE=1", "cursor", "claude"},
		{"TERM_PROGRAM=kiro", "kiro", Unknown},
		{"TERM_PROGRAM=zed", "zed", Unknown},
		{"ZED_TERM=true", "zed", Unknown},
		{"TERM_PROGRAM=WarpTerminal", "warp", Unknown},
		{"TERMINAL_EMULATOR=JetBrains-JediTerm", "jetbrains", Unknown},
		{"ANTIGRAVITY_CLI_ALIAS=x;TERM_PROGRAM=vscode", "antigravity", Unknown},
		{"WINDSURF_CASCADE_TERMINAL_KIND=x;TERM_PROGRAM=vscode", "windsurf", Unknown},
		{"CODESPACES=true", "codespaces", Unknown},
		{"CODESPACES=true;TERM_PROGRAM=vscode", "vscode", Unknown},
		{"REPL_ID=x", "replit", Unknown},
		{"MONOSPACE_ENV=x", "firebase-studio", Unknown},
		{"SHELL=/bin/jsh", "bolt", Unknown},
		{"SHELL=/bin/bash;TERM_PROGRAM=xterm", "", Unknown},
		{"CODESPACES=false", "", Unknown},
	} {
		r := Detect(vars(strings.Split(c.env, ";")...), nil)
		if r.Host != c.host || r.Agent != c.agent {
			t.Errorf("%s: host %q, agent %q, want %q, %q", c.env, r.Host, r.Agent, c.host, c.agent)
		}
	}
}

func TestAgents(t *testing.T) {
	var ids []string
	for i := range agents {
		ids = append(ids, agents[i].id)
	}
	if len(ids) < 35 || len(ids) > 64 { // a group has 64 bits
		t.Fatalf("%d agents", len(ids))
	}
	for i, id := range ids {
		if slices.Index(ids, id) != i {
			t.Errorf("%q is there twice", id)
		}
		if sanitize(id) != id || id == Unknown {
			t.Errorf("bad id %q", id)
		}
		for _, over := range agents[i].over {
			if rowOf(over) < 0 || over == id {
				t.Errorf("%s is over %q", id, over)
			}
		}
		if nameOf(id) != id || nameOf(strings.ToUpper(id)+"_x") != id {
			t.Errorf("AI_AGENT=%s is %q", id, nameOf(id))
		}
	}
	for _, a := range aliases {
		if rowOf(a.id) < 0 || nameOf(a.name) != a.id {
			t.Errorf("alias %q is %q, want %q", a.name, nameOf(a.name), a.id)
		}
	}
}

// For any environment, Detect returns a printable name and no other value of a variable.
func FuzzDetect(f *testing.F) {
	f.Add("AI_AGENT", "claude-code_2", "AGENT", "1")
	f.Add("ENVWRAP_AGENT", "x y", "CLAUDECODE", "1")
	f.Fuzz(func(t *testing.T, name, value, name2, value2 string) {
		env := vars(name+"="+value, name2+"="+value2)
		r := Detect(env, func(int) (Env, bool) { return env, true })
		if r.Agent != Unknown && rowOf(r.Agent) < 0 {
			t.Errorf("agent %q", r.Agent)
		}
		if r.Raw != sanitize(r.Raw) || len(r.Raw) > maxName {
			t.Errorf("raw %q", r.Raw)
		}
		if r.Found != (len(r.Signals) > 0) && !slices.Equal(r.Signals, []string{override}) {
			t.Errorf("found %t by %q", r.Found, r.Signals)
		}
	})
}

func BenchmarkDetect(b *testing.B) {
	none := func(string) (string, bool) { return "", false }
	for _, c := range []struct {
		name string
		env  Env
	}{
		{"none", none},
		{"claude", vars("CLAUDECODE=1", "AI_AGENT=claude-code_2-1-263_agent")},
		{"os", os.LookupEnv},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Detect(c.env, nil)
			}
		})
	}
}

package detect

// An agent is one row: the variables that it sets on the commands it runs.
type agent struct {
	id string
	// markers are alternatives; each is a list of tests that must all hold.
	// A name of the agent in AI_AGENT is a marker too, and is in no row.
	markers []marker
	over    []string // ids of agents whose markers this one sets as well
	lowest  bool     // any other agent is nearer than this one
	source  string   // who says so
	note    string   // what must not be taken for a marker
}

type marker []test

// agents is the table. Its order decides where nothing else does.
var agents = [...]agent{
	{
		id: "claude",
		markers: []marker{
			{set("CLAUDECODE")},
			{set("CLAUDE_CODE_SESSION_ID")},
			{set("CLAUDE_CODE_CHILD_SESSION")},
			{set("CLAUDE_CODE_ENTRYPOINT")},
			{set("CLAUDE_CODE")},
		},
		source: "Claude Code changelog 2.1.120, 2.1.132, 2.1.154; its page on environment variables",
		note:   "CLAUDE_CODE_SSE_PORT is an editor's port in a person's terminal",
	},
	{
		id:      "cowork",
		markers: []marker{{set("CLAUDE_CODE_IS_COWORK"), set("CLAUDECODE")}},
		over:    []string{"claude"},
		source:  "tests of vercel's detect-agent; gh; mise",
		note:    "CLAUDE_CODE_IS_COWORK alone says nothing",
	},
	{
		id: "codex",
		markers: []marker{
			{set("CODEX_THREAD_ID")},
			{set("CODEX_CI")},
			{set("CODEX_SANDBOX")},
			{set("CODEX_SANDBOX_NETWORK_DISABLED")},
			{set("CODEX_INTERNAL_ORIGINATOR_OVERRIDE")},
		},
		source: "codex-rs: protocol/src/shell_environment.rs, core/src/spawn.rs, core/src/unified_exec",
		note:   "CODEX_HOME is configuration; the parent's whole environment is handed on",
	},
	{
		id:      "gemini",
		markers: []marker{{set("GEMINI_CLI")}},
		source:  "gemini-cli shellExecutionService.ts; docs/tools/shell.md",
		note:    "GEMINI_API_KEY and GEMINI_CLI_* are configuration",
	},
	{
		id: "cursor",
		markers: []marker{
			{set("CURSOR_AGENT")},
			{equal("CURSOR_EXTENSION_HOST_ROLE", "agent-exec")},
			{set("CURSOR_TRACE_ID"), equal("PAGER", "head -n 10000 | cat")},
			{set("CURSOR_SANDBOX")},
		},
		source: "Cursor's page on its agent's terminal; auth0-cli 1639; rstest 994",
		note:   "CURSOR_TRACE_ID alone is a person's terminal",
	},
	{
		id: "copilot",
		markers: []marker{
			{set("COPILOT_CLI")},
			{set("COPILOT_AGENT_SESSION_ID")},
			{set("COPILOT_AGENT")},
			{set("VSCODE_AGENT")},
		},
		source: "Copilot CLI changelog 0.0.421, 1.0.29; VS Code aiAgentEnv.ts",
		note:   "COPILOT_MODEL, COPILOT_ALLOW_ALL and COPILOT_GITHUB_TOKEN are configuration",
	},
	{
		id: "amp",
		markers: []marker{
			{equal("AGENT", "amp")},
			{set("AMP_CURRENT_THREAD_ID")},
			{set("AGENT_THREAD_ID")},
		},
		over:   []string{"claude"},
		source: "gh; dtctl; am-i-vibing 73",
		note:   "it sets CLAUDECODE too; AMP_HOME and AMP_API_KEY are configuration",
	},
	{
		id:      "goose",
		markers: []marker{{set("GOOSE_TERMINAL")}, {equal("AGENT", "goose")}},
		source:  "goose pull requests 4205, 7017, 7365",
		note:    "GOOSE_PROVIDER is configuration",
	},
	{
		id: "opencode",
		markers: []marker{
			{set("OPENCODE")},
			{set("OPENCODE_PID")},
			{equal("OPENCODE_CLIENT", "acp")},
			{equal("OPENCODE_CLIENT", "desktop")},
		},
		source: "opencode packages/opencode/src/index.ts",
		note:   "the AGENT=1 that it sets names nobody",
	},
	{
		id:      "crush",
		markers: []marker{{set("CRUSH")}, {equal("AGENT", "crush")}},
		source:  "crush internal/shell/shell.go",
	},
	{
		id:      "cline",
		markers: []marker{{set("CLINE_ACTIVE")}},
		source:  "cline VscodeTerminalRegistry.ts",
		note:    "CLINE_* is configuration",
	},
	{
		id:      "roo",
		markers: []marker{{set("ROO_ACTIVE")}},
		source:  "Roo-Code Terminal.ts",
		note:    "ROO_CODE_TASK_ID is in no source",
	},
	{
		id: "kilo",
		markers: []marker{
			{set("KILO")},
			{set("KILO_PID")},
			{set("OPENCODE"), set("KILOCODE_FEATURE")},
		},
		over:   []string{"opencode"},
		source: "Kilo Code's CLI, old and new builds",
	},
	{
		id:      "qwen",
		markers: []marker{{set("QWEN_CODE")}, {set("QWEN_CODE_SESSION_ID")}},
		over:    []string{"gemini"},
		source:  "qwen-code shellExecutionService.ts; am-i-vibing 73",
		note:    "a fork of gemini-cli",
	},
	{
		id:      "augment",
		markers: []marker{{set("AUGMENT_AGENT")}},
		source:  "Augment's documentation; am-i-vibing 73",
		note:    "AUGMENT_API_TOKEN is a credential",
	},
	{
		id:      "antigravity",
		markers: []marker{{set("ANTIGRAVITY_AGENT")}},
		source:  "programs that test for it",
		note:    "ANTIGRAVITY_CLI_ALIAS is set in a person's terminal",
	},
	{
		id:      "pi",
		markers: []marker{{set("PI_CODING_AGENT")}, {contains("PATH", "/.pi/agent/")}},
		source:  "pi src/cli.ts; am-i-vibing 87",
		note:    "PI_CODING_AGENT_DIR is configuration",
	},
	{
		id: "kiro",
		markers: []marker{
			{set("KIRO_SESSION_ID")},
			{set("AGENT_CONTEXT_OUT"), set("AGENT_DISPLAY_OUT")},
			{set("KIRO_AGENT_PATH")},
		},
		over:   []string{"amazon-q"},
		source: "dtctl 282, measured on 2.6.1; aws-cli 10584; Kiro's documentation",
		note:   "TERM_PROGRAM=kiro is a person's terminal too",
	},
	{
		id:      "amazon-q",
		markers: []marker{{contains("AWS_EXECUTION_ENV", "AmazonQ-For-CLI")}},
		source:  "Amazon Q CLI consts.rs, tools/mod.rs",
		note:    "the variable is AWS's, and the name is appended to what is there",
	},
	{
		id:      "openclaw",
		markers: []marker{{equal("OPENCLAW_SHELL", "exec")}},
		source:  "OpenClaw's documentation",
		note:    "tui-local is a person's shell",
	},
	{
		id:      "junie",
		markers: []marker{{set("JUNIE_DATA")}, {set("JUNIE_SHIM_PATH")}},
		source:  "std-env 195",
	},
	{
		id:      "windsurf",
		markers: []marker{{set("WINDSURF_CASCADE_TERMINAL")}},
		source:  "a report",
		note:    "WINDSURF_CASCADE_TERMINAL_KIND is in every terminal of the editor",
	},
	{
		id:      "grok",
		markers: []marker{{set("GROK_PLUGIN_ROOT")}, {set("GROK_PLUGIN_DATA")}},
		over:    []string{"claude"},
		source:  "tests of vercel's detect-agent",
		note:    "it sets CLAUDE_CODE too",
	},
	{
		id:      "kimi",
		markers: []marker{{set("KIMI_PLUGIN_ROOT")}},
		source:  "tests of vercel's detect-agent",
		note:    "KIMI_CODE_HOME is configuration",
	},
	{id: "trae", markers: []marker{{set("TRAE_AI_SHELL_ID")}}, source: "a report"},
	{id: "hermes", markers: []marker{{set("HERMES_SESSION_ID")}}, source: "a report"},
	{id: "vtcode", markers: []marker{{set("VTCODE")}}, source: "a report"},
	{id: "iflow", markers: []marker{{set("IFLOW_CLI")}}, source: "a report"},
	{
		id:      "replit",
		markers: []marker{{set("REPL_ID"), equal("REPLIT_MODE", "assistant")}},
		source:  "a report",
		note:    "REPL_ID alone is any shell there",
	},
	{
		id:      "jules",
		markers: []marker{{equal("HOME", "/home/jules"), equal("USER", "swebot")}},
		source:  "a report",
	},
	{
		id:      "openhands",
		markers: []marker{{contains("PS1", "###PS1JSON###")}},
		source:  "a report",
	},
	{
		id:      "aider",
		markers: []marker{{equal("OR_APP_NAME", "Aider")}},
		source:  "a report",
		note:    "AIDER_* is configuration",
	},
	// These set nothing on their commands; they are known by AI_AGENT only.
	{id: "devin", source: "am-i-vibing 73", note: "DEVIN_PROJECT_DIR is set in hooks only"},
	{id: "droid", source: "am-i-vibing 73", note: "FACTORY_PROJECT_DIR is set in hooks only"},
	{id: "continue"},
	{id: "octofriend"},
	{id: "v0", source: "programs that test for it"},
	{id: "zed", source: "zed pull requests 43277, 61732", note: "PAGER= and GIT_PAGER=cat are no marker; ZED_TERM is a person's terminal"},
	{
		id:      "warp",
		markers: []marker{{set("OZ_RUN_ID")}, {set("WARP_RUN_ID")}},
		lowest:  true,
		source:  "warp harness/mod.rs",
		note:    "it runs other agents; TERM_PROGRAM=WarpTerminal is a person's terminal",
	},
}

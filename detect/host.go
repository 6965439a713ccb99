package detect

// A hosting row is an editor or service in whose terminals people and agents
// type alike.
type hosting struct {
	id    string
	tests []test // one is enough
}

// hosts go from the particular to the general: forks of an editor set its
// variables too, and an editor may run on a service's machine.
var hosts = [...]hosting{
	{"cursor", []test{set("CURSOR_TRACE_ID"), equal("TERM_PROGRAM", "cursor")}},
	{"antigravity", []test{set("ANTIGRAVITY_CLI_ALIAS")}},
	{"windsurf", []test{set("WINDSURF_CASCADE_TERMINAL_KIND")}},
	{"kiro", []test{equal("TERM_PROGRAM", "kiro")}},
	{"zed", []test{set("ZED_TERM"), equal("TERM_PROGRAM", "zed")}},
	{"warp", []test{equal("TERM_PROGRAM", "WarpTerminal")}},
	{"jetbrains", []test{equal("TERMINAL_EMULATOR", "JetBrains-JediTerm")}},
	{"vscode", []test{equal("TERM_PROGRAM", "vscode"), set("VSCODE_INJECTION"), set("VSCODE_IPC_HOOK_CLI")}},
	{"codespaces", []test{set("CODESPACES")}},
	{"replit", []test{set("REPL_ID")}},
	{"firebase-studio", []test{set("MONOSPACE_ENV")}},
	{"bolt", []test{equal("SHELL", "/bin/jsh")}},
}

// host returns the id of the host that env shows, or "".
func host(env Env) string {
	for i := range hosts {
		for _, t := range hosts[i].tests {
			if t.holds(env) {
				return hosts[i].id
			}
		}
	}
	return ""
}

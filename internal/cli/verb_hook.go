package cli

import "context"

// hookVerb leads to what agents call before they run a command. The companion
// program does it: it has the parser of shell texts.
func hookVerb(*World) *verb {
	return &verb{
		name:    "hook",
		args:    "VERB",
		summary: "answer an agent that is about to run a command",
		text:    "An agent calls it by itself, once `envwrap hook install` has told it to.",
		example: "envwrap hook install claude-code\nenvwrap hook status",
		verbs: []row{
			{"claude-code", answerHook("claude-code", "Claude Code", "PreToolUse")},
			{"codex", answerHook("codex", "Codex", "PreToolUse")},
			{"cursor", answerHook("cursor", "Cursor", "preToolUse")},
			{"gemini", answerHook("gemini", "Gemini CLI", "BeforeTool")},
			{"install", manageHook("install", "write the hook into the settings of an agent", true)},
			{"remove", manageHook("remove", "take the hook out of the settings of an agent", true)},
			{"status", manageHook("status", "say whether agents have the hook in their settings", false)},
		},
	}
}

// answerHook is the verb that an agent calls.
func answerHook(name, agent, event string) func(*World) *verb {
	return func(*World) *verb {
		args := []string{"hook"}
		return &verb{
			name:    name,
			summary: "make a shell command of " + agent + " run under envwrap",
			text: `It reads a ` + event + ` event on stdin and answers with the command as it runs under
envwrap: a pipeline or list of commands as a whole, by a shell of its own. What is
interactive, in the background, wrapped already, or cheap stays as it is, and so does
what cannot be parsed. Nothing is rewritten unless the permission rules of ` + agent + `
allow the original, and no rule that denies or asks could match a part of it.`,
			example: "envwrap hook " + name + " <event.json",
			options: []*option{{name: "all", noEnv: true, help: "take cheap commands such as ls and pwd, too", set: passOn(&args, "--all")}},
			run: func(_ context.Context, c *call) error {
				if err := c.noWords(); err != nil {
					return err
				}
				return c.becomeCompanion(append(args, name))
			},
		}
	}
}

// manageHook is a verb for the settings of an agent.
func manageHook(name, summary string, edits bool) func(*World) *verb {
	return func(*World) *verb {
		args := []string{"hook"}
		v := &verb{
			name: name, args: "CLIENT", summary: summary,
			text:    "Clients: claude-code, codex, cursor, gemini.",
			example: "envwrap hook " + name + " claude-code",
			run: func(_ context.Context, c *call) error {
				words := c.args()
				if len(words) > 1 || edits && len(words) == 0 {
					return usagef("hook %s takes one of claude-code, codex, cursor, gemini", name)
				}
				for _, w := range words {
					if w != "claude-code" && w != "codex" && w != "cursor" && w != "gemini" {
						return usagef("there is no client %q: give claude-code, codex, cursor or gemini", w)
					}
				}
				return c.becomeCompanion(append(append(args, name), words...))
			},
		}
		if edits {
			v.text += "\nIt shows the lines that it takes out (-) and adds (+), and leaves everything else in the file as it is."
			v.options = []*option{{name: "dry-run", noEnv: true, help: "show the change and make none", set: passOn(&args, "--dry-run")}}
		} else {
			v.args = "[CLIENT]"
			v.text += " Without one: all. It ends with 1 where the\none that was named has no hook."
		}
		return v
	}
}

// passOn hands an option on to the companion program, before its words.
func passOn(args *[]string, flag string) func([]string) error {
	return each(func(value string) error {
		on, err := boolean(value)
		if err == nil && on {
			*args = append(*args, flag)
		}
		return err
	})
}

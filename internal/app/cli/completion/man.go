package completion

import (
	"fmt"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/app/cli"
)

// manPage returns a verb's manual page in the macros of man(7). It says what help
// says and has no date, so that it is the same for every build.
func manPage(env *cli.Env, v *cli.Verb) string {
	name := strings.Join(append([]string{"envwrap"}, v.Path...), "-")
	b := new(strings.Builder)
	fmt.Fprintf(b, ".TH %s 1 \"\" envwrap \"User Commands\"\n", roffWord(strings.ToUpper(name)))
	summary := "run a command and print one JSON envelope about it"
	if len(v.Path) > 0 {
		summary = v.Summary
	}
	fmt.Fprintf(b, ".SH NAME\n%s \\- %s\n", roff(name), roff(summary))
	manSynopsis(b, v)
	if v.Text != "" {
		b.WriteString(".SH DESCRIPTION\n")
		manText(b, v.Text)
	}
	manVerbs(b, env, v)
	manOptions(b, ".SH OPTIONS\n", v.Options)
	if len(v.Path) == 0 {
		manSurroundings(b, v.Options)
	}
	if v.Example != "" {
		fmt.Fprintf(b, ".SH EXAMPLES\n.nf\n%s.fi\n", roffLines(v.Example))
	}
	return b.String()
}

func manSynopsis(b *strings.Builder, v *cli.Verb) {
	b.WriteString(".SH SYNOPSIS\n")
	words := strings.Join(append([]string{"envwrap"}, v.Path...), " ")
	if len(v.Path) == 0 {
		b.WriteString(".B envwrap\n[OPTIONS] \\-\\- COMMAND [ARG...]\n.br\n.B envwrap\nVERB [OPTIONS] [ARG...]\n")
		return
	}
	fmt.Fprintf(b, ".B %s\n%s\n", roff(words), roff(strings.TrimSpace("[OPTIONS] "+v.Args)))
}

// manVerbs lists the verbs below v; with those below them where v is one.
func manVerbs(b *strings.Builder, env *cli.Env, v *cli.Verb) {
	rows := v.Verbs
	if len(v.Path) == 0 {
		rows = env.Table.Verbs
	}
	if len(rows) == 0 {
		return
	}
	b.WriteString(".SH VERBS\n")
	for _, r := range rows {
		below := r.Verb(env)
		fmt.Fprintf(b, ".SS %s\n", roffWord(strings.TrimSpace(r.Name+" "+below.Args)))
		if len(v.Path) == 0 {
			fmt.Fprintf(b, "%s; see\n.BR envwrap\\-%s (1).\n", roff(below.Summary), roff(r.Name))
			continue
		}
		manText(b, below.Summary+".\n"+below.Text)
		manOptions(b, "", below.Options)
	}
}

// manOptions lists options below their groups.
func manOptions(b *strings.Builder, heading string, options []*cli.Option) {
	if len(options) == 0 {
		return
	}
	b.WriteString(heading)
	var groups []string
	for _, o := range options {
		if !slices.Contains(groups, o.Group) {
			groups = append(groups, o.Group)
		}
	}
	for _, g := range groups {
		if g != "" && heading != "" {
			fmt.Fprintf(b, ".SS %s\n", roffWord(g))
		}
		for _, o := range options {
			if o.Group == g {
				fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace(cli.HelpName(o))), roff(cli.HelpText(o)))
			}
		}
	}
}

// manSurroundings has the sections about envwrap as a whole: variables, files,
// statuses.
func manSurroundings(b *strings.Builder, options []*cli.Option) {
	b.WriteString(".SH EXIT STATUS\nThat of the command, or 128 and the number of the signal that ended it;\n" +
		"124 timed out, 125 envwrap could not do what was asked, 126 not executable, 127 not found.\n" +
		"Verbs other than run: 0 done, 1 found wanting, 2 wrong usage.\n")
	b.WriteString(".SH ENVIRONMENT\nEvery option has a variable, which the command line overrides:\n")
	var names []string
	for _, o := range options {
		if o.Env() != "" {
			names = append(names, o.Env())
		}
	}
	fmt.Fprintf(b, "%s.\n", roff(strings.Join(names, ", ")))
	for _, v := range []struct{ name, text string }{
		{"ENVWRAP", "0 makes envwrap replace itself by the command, which runs as if envwrap were not there."},
		{"ENVWRAP_AGENT", "names the calling agent; none is a person."},
	} {
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", v.name, roff(v.text))
	}
	b.WriteString(".SH FILES\n.TP\n.I $XDG_CONFIG_HOME/envwrap/config.toml\nthe user's settings\n" +
		".TP\n.I .envwrap.toml\na project's settings\n" +
		".TP\n.I $XDG_STATE_HOME/envwrap\nthe store of large output\n")
}

// manText writes text as paragraphs, which empty lines separate; it does not fill
// indented lines.
func manText(b *strings.Builder, text string) {
	for i, part := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		if strings.Contains(part, "\n ") || strings.HasPrefix(part, " ") {
			fmt.Fprintf(b, ".nf\n%s.fi\n", roffLines(part))
			continue
		}
		b.WriteString(roffLines(part))
	}
}

func roffLines(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimRight(text, "\n") + "\n") {
		b.WriteString(roff(strings.TrimRight(line, "\n")) + "\n")
	}
	return b.String()
}

// roff spells text so that it is read as text: backslashes, hyphens, and what
// begins a line like a request.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}

// roffWord is text as one argument of a macro.
func roffWord(s string) string { return `"` + strings.ReplaceAll(roff(s), `"`, `""`) + `"` }

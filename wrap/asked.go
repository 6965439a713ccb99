package wrap

import (
	"io"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/shared/exitcode"
	"github.com/envwrap/envwrap/internal/shared/hints"
	"github.com/envwrap/envwrap/internal/shared/shell"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap/internal/program"
)

// MaskStdout returns a writer that masks what the command prints on stdout and passes it on
// to dst. It knows the command: a password that is all that "pass show prod/db" prints has
// no name beside it.
func (c *Command) MaskStdout(dst io.Writer) *redact.Writer {
	w := c.Redactor.Writer(dst)
	w.After(func() []string {
		p := printers{values: map[string]string{}}
		p.command(literals(c.unframed().Argv))
		return p.lines
	})
	return w
}

const (
	maxScript = 8 << 10 // bytes of the longest text for a shell that is parsed: longer ones are programs
	maxInner  = 8       // within it and each other
	maxBefore = 64      // words before a shell: docker exec has some dozen at most
)

// Programs that print nothing, that print their input or the file that their arguments name,
// that print what their input becomes, and that take a secret and print something else.
const (
	silent   = " cd export set unset declare local readonly source . true false : test [ mkdir rm cp mv ln chmod chown touch sleep wait exit trap shopt umask alias "
	passing  = " cat head tail less more bat xargs "
	changing = " tr tee base64 "
	taking   = " docker podman helm gh npm sudo wc ssh-add "
)

func isOne(of, name string) bool { return name != "" && strings.Contains(of, " "+name+" ") }

// printers are the commands whose output is that of a command line. lines are how they would
// be typed without wrappers such as sudo. values are the texts that variables have the output
// of: x=$(pass show prod/db).
type printers struct {
	lines  []string
	values map[string]string
	texts  int
}

// text adds the commands of a text for a shell. One that cannot be parsed counts as one.
func (p *printers) text(text string, d shell.Dialect) {
	if p.texts++; len(text) > maxScript || p.texts > maxInner {
		return
	}
	parsed, err := shell.Parse(text, d)
	if err != nil {
		p.lines = append(p.lines, text)
		return
	}
	for _, pipeline := range parsed.List() {
		p.pipeline(pipeline, text, d)
	}
}

// pipeline adds the last command of a pipeline that prints more than lines of its input, with
// those before it.
func (p *printers) pipeline(pipeline shell.Pipeline, text string, d shell.Dialect) {
	n := len(pipeline.Stages) - 1
	if n < 0 { // time alone
		return
	}
	for n > 0 && passesOn(pipeline.Stages[n]) {
		n--
	}
	last := pipeline.Stages[n]
	words := slices.Clone(last.Argv)
	for _, r := range last.Redirections {
		switch {
		case strings.Contains(r.Op, ">") && (r.Descriptor == "" || r.Descriptor == "1"):
			return // it prints elsewhere
		case r.Op == "<" && isOne(passing+changing, last.Name()):
			words = append(words, r.Target)
		case r.Op == "<<<" && isOne(passing+changing+" sh bash ", last.Name()):
			p.lines = append(p.lines, pipeline.In(text))
			return
		}
	}
	switch {
	case len(words) == 0 && len(last.Assignments) == 0:
		p.lines = append(p.lines, pipeline.In(text)) // a compound command
		return
	case len(words) == 0, isOne(silent, last.Name()), last.Name() == "eval" && len(words) == 2 && substituted(words[1].Text) != "":
		p.assign(last)
		return
	case last.Name() == "echo", last.Name() == "printf":
		if len(words) > 2 && (words[1].Text == "-n" || strings.HasPrefix(words[1].Text, "%")) {
			words = slices.Delete(words, 1, 2)
		}
		if words[0].Text = "echo"; len(words) != 2 || words[1].Literal {
			break
		}
		said, before := words[1].Text, len(p.lines)
		value := p.values[strings.Trim(said, "${}")]
		if inner := value + substituted(said); inner != "" {
			p.text(inner, d)
		}
		if n := len(p.lines); n > before {
			if value != "" {
				p.lines[n-1] += redact.Or + "echo " + said
			}
			return
		}
	}
	before := len(p.lines)
	if p.command(words); n > 0 && len(p.lines) == before+1 && !isOne(taking, last.Name()) {
		p.lines[before] = text[pipeline.Start:last.Start] + p.lines[before]
	}
}

// command adds a command, or those of the text for a shell among its arguments, wherever that
// runs: docker exec db sh -c TEXT.
func (p *printers) command(words []shell.Word) {
	argv := exitcode.Through(shell.Stage{Argv: words}.Args())
	if len(argv) == 0 {
		return
	}
	for i := range argv[:min(len(argv), maxBefore)] {
		if inv, ok := shell.ReadInvocation(argv[i:]); ok {
			p.text(inv.Text, inv.Dialect)
			return
		}
	}
	words = slices.Clone(words[max(0, len(words)-len(argv)):])
	if words[0].Text = program.Name(argv[0]); isOne(passing, words[0].Text) {
		words = slices.DeleteFunc(words, func(w shell.Word) bool { return isOption(w.Text) })
		words[0].Text = "cat"
	}
	typed := make([]string, len(words))
	for i, w := range words {
		switch typed[i] = w.Text; {
		case w.Literal:
			typed[i] = hints.Quote(w.Text)
		case strings.Contains(w.Text, " "):
			typed[i] = `"` + w.Text + `"`
		}
	}
	p.lines = append(p.lines, strings.Join(typed, " "))
}

// assign notes the variables that a command sets to what others print.
func (p *printers) assign(s shell.Stage) {
	for _, w := range slices.Concat(s.Assignments, s.Argv) {
		if name, value, _ := strings.Cut(w.Text, "="); !w.Literal && substituted(value) != "" {
			p.values[name] = substituted(value)
		}
	}
}

func literals(argv []string) []shell.Word {
	words := make([]shell.Word, len(argv))
	for i, arg := range argv {
		words[i] = shell.Word{Text: arg, Literal: true}
	}
	return words
}

// passesOn reports whether a stage prints what it reads, or a line of it.
func passesOn(s shell.Stage) bool {
	args := s.Args()
	return len(s.Redirections) == 0 && (s.Name() == "tee" || s.Name() == "tr" && len(args) == 3 && args[1] == "-d" || isOne(passing, s.Name()) && !slices.ContainsFunc(args[1:], func(arg string) bool { return !isOption(arg) }))
}

// isOption reports whether an argument names no file: -n, 1.
func isOption(arg string) bool {
	return strings.HasPrefix(arg, "-") || strings.Trim(arg, "0123456789") == ""
}

// substituted returns TEXT of $(TEXT) or `TEXT`, "" for other words.
func substituted(word string) string {
	for _, marks := range [...][2]string{{"$(", ")"}, {"`", "`"}} {
		if text, ok := strings.CutPrefix(word, marks[0]); ok && strings.HasSuffix(text, marks[1]) {
			return text[:len(text)-1]
		}
	}
	return ""
}

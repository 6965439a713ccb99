package pipeline

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/shared/hints"
	"github.com/envwrap/envwrap/internal/shared/shell"
)

// maxKept bounds the pipelines of a text that are kept: the last ones are.
const maxKept = 8

// visible lists words of texts that may show what Keep adds, or ask for the pipeline's
// statuses, which the issuer of the text then wants as they are.
var visible = [...]string{"PIPESTATUS", "BASH_COMMAND", "BASH_XTRACEFD", "lastpipe", "verbose", "set -v", "restricted", "set -r", "set -T", "functrace", "extdebug", "expand_aliases", "posix", "__envwrap"}

// unsafe lists variables that may change what the shell does with what Keep adds.
var unsafe = [...]string{Variable, "SHELLOPTS", "BASHOPTS", "BASH_XTRACEFD"}

// codexStartup is the name of envwrap's own start-up file for Codex, which changes nothing in the
// shell that runs the command: it is in BASH_ENV if the user has no other.
const codexStartup = "codex-bash-env"

// shadowing lists the names that Keep's text calls.
var shadowing = [...]string{"builtin", "read", "echo", "exec", "cat"}

// readKept sets Kept, if nothing in the text or the environment could tell that its
// pipelines run in another way.
func (l *Line) readKept(text *shell.Text, env []string) {
	if text.Alters() != nil || len(l.text) > maxFramed {
		return
	}
	for _, word := range visible {
		if strings.Contains(text.Source, word) {
			return
		}
	}
	for _, pair := range env {
		name, value, _ := strings.Cut(pair, "=")
		if strings.HasPrefix(name, "BASH_FUNC_") || name == "POSIXLY_CORRECT" || value != "" && slices.Contains(unsafe[:], name) && path.Base(value) != codexStartup {
			return
		}
	}
	for _, name := range shadowing {
		if text.Defines(name) {
			return
		}
	}
	for _, p := range text.List() {
		if k, ok := keep(p); ok && !p.Background {
			l.Kept = append(l.Kept, k)
		}
	}
	l.Kept = l.Kept[max(0, len(l.Kept)-maxKept):]
}

// Keep has bash offer the output of the stages of Kept to this process on its way to the next
// stage: request returns the file to which the shell writes who it is, and answer the one from
// which it then reads two lines. Until the second, the process with its id has the output of the
// stage as descriptor 8, and the input of the next stage as descriptor 9. If either line does
// not come, the process copies the one to the other, by the program cat, a path.
func (l *Line) Keep(request string, answer func(i int) string, cat string) {
	command := l.text
	if l.Framed() {
		command = l.frame.Command
	}
	for i, k := range slices.Backward(l.Kept) {
		command = command[:k.at] + offer(i, request, answer(i), cat) + command[k.at:]
	}
	l.keeping = command
}

// Done is the second line that the shell waits for.
const Done = "envwrap-done"

// offer returns the redirection that offers the output of pipeline i. It is one of standard
// input from a process substitution, so that the pipeline has no stage more and no status is
// another. /proc/self is that process, since read is a builtin. The output is only in
// descriptors 8 and 9, so that nothing that a function, a trap or set -x prints gets into it,
// and it is copied unless [[, which no function replaces, sees Done. The last cat is for
// shells that refuse the redirections.
func offer(i int, request, answer, cat string) string {
	return fmt.Sprintf(` < <({ __envwrap=; IFS= \builtin read -r __envwrap </proc/self/stat && \builtin echo "%d $__envwrap" >%s && { \builtin read -r __envwrap; \builtin read -r __envwrap; } <%s; [[ $__envwrap == %s ]] || %s <&8 >&9; __envwrap=; } 8<&0 9>&1 </dev/null >/dev/null 2>/dev/null || \cat) `,
		i, request, answer, Done, hints.SingleQuoted(cat))
}

// WithoutOffers returns b without the redirections that Keep added. Bash prints the text of a
// pipeline if a signal ends the stage that its status is taken from.
func WithoutOffers(b []byte) []byte {
	for {
		begin := bytes.Index(b, []byte(" < <({ __envwrap=;"))
		if begin < 0 {
			return b
		}
		end := bytes.Index(b[begin:], []byte("__envwrap=; } 8"))
		if end < 0 {
			return b
		}
		end += begin
		bracket := bytes.IndexByte(b[end:], ')')
		if bracket < 0 {
			return b
		}
		rest := b[end+bracket+1:]
		if bytes.Contains(b[begin:end], []byte("</proc/self/stat")) { // as it was written
			rest = bytes.TrimPrefix(rest, []byte(" "))
		}
		b = append(bytes.Clone(b[:begin]), rest...)
	}
}

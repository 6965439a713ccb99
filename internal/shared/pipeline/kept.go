package pipeline

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/internal/shared/hints"
	"github.com/envwrap/envwrap/internal/shared/shell"
)

// maxKept bounds the pipelines of a text that are kept: the last ones are.
const maxKept = 8

// visible lists words of texts that may show what Keep adds, or ask for the pipeline's
// statuses, which the issuer of the text then wants as they are.
var visible = [...]string{"PIPESTATUS", "BASH_COMMAND", "BASH_XTRACEFD", "lastpipe", "verbose", "set -v", "restricted", "set -r", "set -T", "functrace", "extdebug", "expand_aliases", "posix", "__envwrap", "/proc", "/dev/fd"}

// processes lists programs that show or look for the command lines of other processes, which
// would see what Keep adds.
const processes = "ps pgrep pkill pidof pidwait pstree top htop atop lsof fuser killall"

func listsProcesses(word string) bool { return contains(processes, word) }

// notInName reports whether a character is not one of a program's name.
func notInName(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-' || r == '.')
}

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
	if containsAny(text.Source, visible[:]...) || slices.ContainsFunc(strings.FieldsFunc(text.Source, notInName), listsProcesses) {
		return
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
			k.Command = text.Source[p.Start:k.Stage.End]
			l.Kept = append(l.Kept, k)
		}
	}
	l.Kept = l.Kept[max(0, len(l.Kept)-maxKept):]
}

// A Keeper is a process that keeps the output of early stages, and how bash reaches it.
type Keeper struct {
	Request string             // the file to which a shell writes who it is
	Answer  func(i int) string // the file from which the shell of pipeline i reads two lines
	Cat     string             // the path of the program cat
	Dir     string             // a directory for scripts
	// Inherited means that bash may find the descriptor open that it gives to a process
	// substitution.
	Inherited bool
}

// Keep has bash offer the output of the stages of Kept to k on its way to the next
// stage. Until it has read the second line, the process of which k was told the id has the output
// of the stage as descriptor 8, and the input of the next stage as descriptor 9. If either line
// does not come, the process copies the one to the other.
//
// The caller writes each of scripts to the file of that index that KeptFile names, before
// it starts bash. Keep changes nothing and returns nil if the shell would have to quote Dir.
func (l *Line) Keep(k Keeper) (scripts []string) {
	if strings.Trim(k.Dir, unquoted) != "" {
		return nil
	}
	command := l.text
	if l.Framed() {
		command = l.frame.Command
	}
	closing := !k.Inherited && !containsAny(command, "<(", ">(", "coproc", strconv.Itoa(Substitution))
	scripts = make([]string, len(l.Kept))
	for i, p := range slices.Backward(l.Kept) {
		command = command[:p.at] + offer(KeptFile(k.Dir, i), k.Cat, closing) + command[p.at:]
		scripts[i] = script(i, k)
	}
	l.keeping = command
	return scripts
}

// containsAny reports whether s contains one of words.
func containsAny(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(s, word) })
}

// KeptFile returns the name of the script for the pipeline i of Kept.
func KeptFile(dir string, i int) string { return dir + "/kept" + strconv.Itoa(i) }

// unquoted are the characters that a shell need not quote in a path.
const unquoted = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+"

// Done is the second line that the shell waits for.
const Done = "envwrap-done"

// Substitution is the descriptor that bash gives to the first process substitution of a command.
const Substitution = 63

// offer returns the redirection that offers the output of a pipeline by a script. It is one of standard
// input from a process substitution, so that the pipeline has no stage more and no status is
// another. The output is only in descriptors 8 and 9, so that nothing that a function, a trap or
// set -x prints gets into it, and it is copied unless [[, which no function replaces, sees Done.
// The last cat is for shells that refuse the redirections. closing keeps the descriptor of the
// substitution from the stage.
func offer(file, cat string, closing bool) string {
	o := fmt.Sprintf(offerBegins+` \builtin . %s; [[ $__envwrap == %s ]] || %s <&8 >&9; `+offerEnds+`<&0 9>&1 </dev/null &>/dev/null || \cat) `, file, Done, hints.SingleQuoted(cat))
	if closing {
		o += strconv.Itoa(Substitution) + "<&- "
	}
	return o
}

// Both ends of what the process substitution runs.
const (
	offerBegins = ` < <({ __envwrap=;`
	offerEnds   = `__envwrap=; } 8`
)

// script returns the file that the process substitution of pipeline i reads. It sets __envwrap to the
// second line. /proc/self is that process, since read is a builtin.
func script(i int, k Keeper) string {
	return fmt.Sprintf(`IFS= \builtin read -r __envwrap </proc/self/stat && \builtin echo "%d $__envwrap" >%s && { \builtin read -r __envwrap; \builtin read -r __envwrap; } <%s
`, i, k.Request, k.Answer(i))
}

// WithoutOffers returns b without the redirections that Keep added. Bash prints the text of a
// pipeline if a signal ends the stage that its status is taken from, and ps the text that bash
// was given.
func WithoutOffers(b []byte) []byte {
	if !bytes.Contains(b, []byte(offerEnds[:len("__envwrap")])) { // blanks are too frequent to look for
		return b
	}
	for {
		begin := bytes.Index(b, []byte(offerBegins))
		if begin < 0 {
			return b
		}
		end := bytes.Index(b[begin:], []byte(offerEnds))
		if end < 0 {
			return b
		}
		end += begin
		bracket := bytes.IndexByte(b[end:], ')')
		if bracket < 0 {
			return b
		}
		rest := b[end+bracket+1:]
		if closing, ok := bytes.CutPrefix(rest, []byte(" "+strconv.Itoa(Substitution))); ok && len(closing) >= len("<&-") {
			rest = closing[len("<&-"):]
		}
		if bytes.Contains(b[end:end+bracket], []byte("&>/")) { // as it was written: bash prints &> /dev/null
			rest = bytes.TrimPrefix(rest, []byte(" "))
		}
		b = append(bytes.Clone(b[:begin]), rest...)
	}
}

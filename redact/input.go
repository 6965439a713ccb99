package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// readsPassword are words of commands that read a password from their input.
var readsPassword = [...]string{"passwd", "passphrase-fd", "password-stdin", "sudo -S", "cryptsetup", "kinit", "pass stdin", "with-token", "vault login"}

// maxCommand is how far before a sign the command that it is of is looked for.
const maxCommand = 96

// hereString finds the password that a shell gives to a command which reads one from its
// input: cryptsetup open /dev/sdb1 x <<< 'password'; pos is that of the sign.
func hereString(v *view, pos int) {
	if pos > v.lo && v.text[pos-1] == '<' || pos+len("<<<") < v.hi && v.text[pos+len("<<<")] == '<' {
		return // a mark of a conflict
	}
	before := v.text[max(v.lo, pos-maxCommand):pos]
	for _, w := range readsPassword {
		if bytes.Contains(before, []byte(w)) {
			i := v.spaces(pos + len("<<<"))
			v.argument(cliFlag{}, i, v.shellWord(i))
			return
		}
	}
}

// pipedPassword finds the password that echo gives to a command which reads one from its
// input: echo 'user:password' | chpasswd; pos is that of the command.
func pipedPassword(v *view, pos int) {
	from := max(v.lo, pos-value.MaxJudged)
	bar := bytes.LastIndexByte(v.text[from:pos], '|')
	if bar < 0 {
		return
	}
	bar += from
	at := bytes.LastIndex(v.text[from:bar], []byte("echo "))
	if at < 0 {
		return
	}
	i := v.spaces(from + at + len("echo "))
	for i < bar && v.text[i] == '-' { // options
		i = v.spaces(v.shellWord(i))
	}
	end := bar
	for end > i && (ascii.Is(v.text[end-1], ascii.Blank) || isQuote(v.text[end-1]) || v.text[end-1] == '\\') {
		end--
	}
	for i < end && (isQuote(v.text[i]) || v.text[i] == '\\') {
		i++
	}
	if bytes.HasPrefix(v.text[pos:v.hi], []byte("chpasswd")) {
		i += bytes.IndexByte(v.text[i:end], ':') + 1 // user:password
	}
	if b := v.text[i:end]; len(b) >= value.Min && !value.Reference(b) && !value.TraitsOf(b).Placeholder() && bytes.IndexByte(b, '|') < 0 {
		v.add(i, end, ruleCLI)
	}
}

// maxExpected is how many lines after the prompt an answer to it may be.
const maxExpected = 3

// expectPassword notes that a script waits for the prompt of a password, and looks for the
// answer: expect "assword:" { send "password\r" }; pos is that of the prompt.
func expectPassword(v *view, pos int) {
	if !bytes.Contains(v.text[max(v.lo, pos-maxTag):pos], []byte("expect")) && !bytes.Contains(v.text[pos:min(v.hi, pos+maxCommand)], []byte("send ")) {
		return
	}
	v.next.expects = maxExpected
	v.answer(pos)
}

// answer looks for what a script sends, from i on.
func (v *view) answer(i int) {
	n := bytes.Index(v.text[i:min(v.hi, i+maxCommand)], []byte("send "))
	if n < 0 {
		return
	}
	v.next.expects = 0
	if i = v.spaces(i + n + len("send ")); bytes.HasPrefix(v.text[i:v.hi], []byte("-- ")) {
		i = v.spaces(i + len("-- "))
	}
	if i == v.hi || !isQuote(v.text[i]) {
		return
	}
	s, q := v.value(i)
	for _, end := range [...]string{`\r`, `\n`} {
		if bytes.HasSuffix(v.text[s.start:s.end], []byte(end)) {
			s.end -= len(end)
		}
	}
	if t := value.TraitsOf(v.text[s.start:s.end]); !q.open && t.Len >= value.Min && t.Spaces == 0 && !t.Placeholder() && t.Bytes[0] != '$' {
		v.add(s.start, s.end, ruleCLI)
	}
}

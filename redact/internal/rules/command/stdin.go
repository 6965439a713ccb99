package command

import (
	"bytes"
	"slices"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// readsPassword are words of commands that read a password from their input.
var readsPassword = [...]string{"passwd", "passphrase-fd", "password-stdin", "sudo -S", "cryptsetup", "kinit", "pass stdin", "with-token", "vault login"}

// FindHereString marks the password that a shell gives to a command which reads one from
// its input, cryptsetup open /dev/sdb1 x <<< 'password', by the sign at pos.
func FindHereString(v *match.View, pos int) {
	if pos > v.Lo && v.Text[pos-1] == '<' || pos+len("<<<") < v.Hi && v.Text[pos+len("<<<")] == '<' {
		return // a mark of a conflict
	}
	if mentions(v.Text[max(v.Lo, pos-maxCommand):pos], readsPassword[:]) {
		i := v.SkipSpaces(pos + len("<<<"))
		cliFlag{}.mark(v, i, v.ShellWord(i))
	}
}

// mentions reports whether one of words is in b, the text before a sign or an option.
func mentions(b []byte, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return bytes.Contains(b, []byte(w)) })
}

// FindPiped marks the password that echo gives to the command at pos, which reads one from
// its input: echo 'user:password' | chpasswd.
func FindPiped(v *match.View, pos int) {
	from := max(v.Lo, pos-value.MaxExamined)
	if !ascii.Contains(v.Text[from:pos], '|') {
		return // found out ten times as fast as the last one is
	}
	bar := bytes.LastIndexByte(v.Text[from:pos], '|')
	if ascii.Contains(v.Text[from+bar:pos], ';') {
		return
	}
	bar += from
	at := bytes.LastIndex(v.Text[from:bar], []byte("echo "))
	if at < 0 {
		return
	}
	i := v.SkipSpaces(from + at + len("echo "))
	for i < bar && v.Text[i] == '-' { // options
		i = v.SkipSpaces(v.ShellWord(i))
	}
	i = min(i, bar)
	end := bar - ascii.RunBack(v.Text[i:bar], ascii.Blank|ascii.Quote)
	i += ascii.Run(v.Text[i:end], ascii.Quote)
	if bytes.HasPrefix(v.Text[pos:v.Hi], []byte("chpasswd")) {
		i += bytes.IndexByte(v.Text[i:end], ':') + 1 // user:password
	}
	i += ascii.Run(v.Text[i:end], ascii.Quote)
	if b := v.Text[i:end]; len(b) >= value.Min && !value.Reference(b) && !value.TraitsOf(b).Placeholder() && bytes.IndexByte(b, '|') < 0 {
		v.Add(i, end, match.RuleCLI)
	}
}

// maxExpected is how many lines after the prompt an answer to it may be.
const maxExpected = 3

// FindExpect marks the answer to the prompt for a password at pos, expect "assword:" {
// send "password\r" }, or notes that the script waits for it.
func FindExpect(v *match.View, pos int) {
	if !bytes.Contains(v.Text[max(v.Lo, pos-syntax.MaxTag):pos], []byte("expect")) && !bytes.Contains(v.Text[pos:min(v.Hi, pos+maxCommand)], []byte("send ")) {
		return
	}
	v.Next.Prompt = maxExpected
	FindAnswer(v, pos)
}

// FindAnswer marks the text that a script sends, from i on.
func FindAnswer(v *match.View, i int) {
	n := bytes.Index(v.Text[i:min(v.Hi, i+maxCommand)], []byte("send "))
	if n < 0 {
		return
	}
	v.Next.Prompt = 0
	if i = v.SkipSpaces(i + n + len("send ")); bytes.HasPrefix(v.Text[i:v.Hi], []byte("-- ")) {
		i = v.SkipSpaces(i + len("-- "))
	}
	if i == v.Hi || !syntax.IsQuote(v.Text[i]) {
		return
	}
	s, q := v.Value(i)
	for _, end := range [...]string{`\r`, `\n`} {
		if bytes.HasSuffix(v.Text[s.Start:s.End], []byte(end)) {
			s.End -= len(end)
		}
	}
	if t := value.TraitsOf(v.Text[s.Start:s.End]); !q.Open && t.Len >= value.Min && t.Spaces == 0 && !t.Placeholder() && t.Bytes[0] != '$' {
		v.Add(s.Start, s.End, match.RuleCLI)
	}
}

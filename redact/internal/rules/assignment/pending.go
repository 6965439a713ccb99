package assignment

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/classify"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// maxBlanks is how many empty lines may be between a sentence and the value that it
// announces.
const maxBlanks = 2

// FindPending marks the value, on the line, of the name p at the end of a line before it.
func FindPending(v *match.View, p match.Pending) {
	if p.User {
		p.User = false
		v.Next.Pending = p
		return
	}
	switch found := findPending(v, p); {
	case p.More > 0 && (found || p.Lines <= 1):
		p.Lines, p.More = maxOutput, p.More-1
	case found && (p.Last || p.Lines > 0):
		p = match.Pending{}
	case found || p.Lines <= 1:
		return
	default:
		p.Lines--
	}
	v.Next.Pending = p
}

// findPending marks the value of p on the line, and reports whether it is there.
func findPending(v *match.View, p match.Pending) (found bool) {
	if n := bytes.Index(v.Text[v.Lo:min(v.Hi, v.Lo+maxInline)], []byte("input_value=")); n >= 0 && p.Op == syntax.OpBeside { // of Pydantic
		f := classify.Field{Name: v.Nameless(), Strength: p.Strength, Op: syntax.OpColon}
		if f.Value, f.Quote = v.Value(v.Lo + n + len("input_value=")); f.Secret() {
			v.Mark(&f)
		}
		return false
	}
	i, ok := pendingStart(v, &p)
	if !ok {
		return false
	}
	switch b := syntax.TrimRight(v.Text[i:v.Hi]); {
	case p.Thing && idOfThing(b), p.Lines > 0 && (i > v.Lo || !standsOut(bytes.Trim(b, "\"'"))):
		return false
	case p.Op == syntax.OpBeside && ascii.Run(v.Text[i:v.Hi], ascii.URLSafe|ascii.Base64|ascii.Equals|ascii.Dot) < v.Hi-i:
		return false // the value after a heading is alone on its line
	case p.Op == syntax.OpList:
		if v.Text[i] != ']' {
			listedBelow(v, p, i)
		}
		return false
	case v.Text[i] == '-' && i+1 < v.Hi && v.Text[i+1] == ' ' && p.Strength >= names.Medium && p.Op == syntax.OpColon:
		listedBelow(v, p, i)
		return false
	}
	if b := syntax.TrimRight(v.Text[i:v.Hi]); p.Op == syntax.OpProse && ascii.Run(b, ascii.URLSafe|ascii.Query|ascii.Equals|ascii.Plus) == len(b) && generated(b) && !bytes.HasPrefix(b, []byte("sha")) {
		v.Add(i, i+len(b), match.RuleAssignment)
		return true
	}
	f := classify.Field{Name: v.Nameless(), Strength: p.Strength, Op: p.Op}
	if p.Op == syntax.OpTag {
		i = v.SkipOpenTag(i)
	}
	if k, ok := varDump(&v.Line, i); ok {
		i = k
	}
	f.Value, f.Quote = v.Value(i)
	if f.Strength == names.Password && f.Quote.Mark == 0 {
		f.TakeSigns(f.Value.Start)
	}
	if len(syntax.TrimValue(v.Text[f.Value.End:v.Hi])) > 0 && !v.ClosesElement(f.Value.End) {
		return false // more than one word
	}
	if p.Op == syntax.OpTag && !v.ClosesElement(f.Value.End) {
		f.Op = syntax.OpColon
	}
	b := v.Text[f.Value.Start:f.Value.End]
	if nextVariable(b) || p.Op == syntax.OpComma && (value.TraitsOf(b).Digits == 0 || value.Wordy(b) || bytes.Contains(b, []byte("://"))) {
		return false // another variable without a value; of a list of names, or an argument
	}
	masked := string(b) == match.Mask
	if p.Op == syntax.OpIs && (generated(b) || masked) {
		v.Expect(p.Strength, p.Op) // a program may print several
	}
	if found = f.Secret(); found {
		v.Mark(&f)
	}
	return found || masked
}

// standsOut reports whether b looks like a secret where any line may be, as names, versions,
// dates, ids of a few digits and lines of base64 do not.
func standsOut(b []byte) bool {
	t := value.TraitsOf(b)
	if t.Len < value.MinToken || t.Len >= lineOfPEM || t.Len < hexOfCipher && idOfThing(b) || !ascii.Is(b[0], ascii.Alnum) || ascii.Contains(b, ':') {
		return string(b) == match.Mask
	}
	return t.Scrambled() || t.Jumbled() || t.MadeUp() || generated(b)
}

const lineOfPEM = 64

// pendingStart returns the offset at which the value of p begins on the line, if it may be
// there, and sets the operator that the line has. Where the line is empty, p may go on.
func pendingStart(v *match.View, p *match.Pending) (i int, ok bool) {
	i = v.SkipSpaces(v.PrefixEnd())
	if p.Op == syntax.OpProse {
		i = v.Margin()
	}
	b := v.Text[i:v.Hi]
	for _, sign := range [...]string{"-> ", "~> ", "C: ", "send: ", "=> ", "= ", "Out["} { // of what clients of SMTP send, of Ruby, PHP and IPython
		if p.Op == syntax.OpIs && bytes.HasPrefix(b, []byte(sign)) {
			i += bytes.IndexByte(b, ' ') + 1
		}
	}
	if p.Op == syntax.OpMember && len(b) > 1 && (b[0] == '+' || b[0] == '-') && b[1] == ' ' { // of a diff
		if i = v.SkipSpaces(i + 1); b[0] == '-' {
			v.Expect(p.Strength, p.Op) // what replaces the line
		}
	}
	if (p.Op == syntax.OpBeside || p.Op == syntax.OpOption) && bytes.HasPrefix(b, []byte("- ")) { // of an item of YAML
		i += len("- ")
	} else if p.Op == syntax.OpOption && (len(b) == 0 || b[0] != '"') {
		return 0, false
	}
	if i == v.Hi {
		if (p.Op == syntax.OpProse || p.Op == syntax.OpIs && !p.Last) && p.Blanks < maxBlanks {
			p.Blanks++
			v.Next.Pending = *p
		}
		return 0, false
	}
	if p.Op == syntax.OpColon && p.Blanks == 0 && string(syntax.TrimRight(v.Text[i:v.Hi])) == "----" { // of kubectl describe configmap
		v.Next.Pending = match.Pending{Strength: p.Strength, Op: p.Op, Blanks: 1}
		return 0, false
	}
	if k, ok := v.ValueMember(i); ok {
		i, p.Op = k, syntax.OpColon
		if i == v.Hi {
			return 0, false // the end of the text: not even a newline follows
		}
	} else if more := v.AfterTypes(i) > i; p.Op == syntax.OpMember || p.Op == syntax.OpComma && more {
		if more && p.Blanks < maxBlanks { // "slotSetting": false,
			v.Next.Pending = match.Pending{Strength: p.Strength, Op: syntax.OpMember, Blanks: p.Blanks + 1}
		}
		return 0, false
	}
	if p.Op == syntax.OpElse {
		if i = v.Lo + numberedItem(v.Text[v.Lo:v.Hi]); i == v.Lo {
			return 0, false
		}
	}
	return i, true
}

// nextVariable reports whether b is the name of a variable of the environment, or a name
// and its value, rather than the value of another: OS_PROJECT=, idle-timeout=60.
func nextVariable(b []byte) bool {
	if len(b) > 0 && b[0] == '#' && b[len(b)-1] == '=' {
		return true
	}
	n := ascii.Run(b, ascii.Word|ascii.Dash|ascii.Dot)
	if n > 0 && n+1 < len(b) && b[n] == ':' && ascii.Contains(b[:n], '.') && value.Wordy(b[:n]) {
		return true
	}
	if n > 0 && n+1 < len(b) && b[n] == '=' && bytes.Count(b[:n], []byte{'.'}) > 1 && ascii.Run(b, ascii.Lower|ascii.Dash|ascii.Dot) == n {
		return true // rp.amqp.port=
	}
	return n > 0 && n < len(b) && b[n] == '=' && ((n+1 < len(b) && b[n+1] != '=' || ascii.Run(b[:n], ascii.Lower|ascii.Digit|ascii.Under|ascii.Dash) == n) && value.Wordy(b[:n]) || names.Capitals(b[:n]) && ascii.Contains(b, '_'))
}

// varDump returns the offset of the value that PHP's var_dump writes at i: string(5)
// "value".
func varDump(l *syntax.Line, i int) (int, bool) {
	if !bytes.HasPrefix(l.Text[i:l.Hi], []byte("string(")) {
		return 0, false
	}
	j := i + len("string(")
	j += ascii.Run(l.Text[j:l.Hi], ascii.Digit)
	if !bytes.HasPrefix(l.Text[j:l.Hi], []byte(") ")) {
		return 0, false
	}
	return l.SkipSpaces(j + 1), true
}

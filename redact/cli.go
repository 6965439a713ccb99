package redact

import (
	"bytes"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/value"
)

const ruleCLI = "command-line"

// nearProgram is how far after a program's name the word that it needs may be.
const nearProgram = 64

// maxArgs bounds how many words of a command line are looked at.
const maxArgs = 64

// commandLine looks at the options of the program, whose name is at pos.
func (p *program) commandLine(v *view, pos int) {
	if pos > v.lo && !programStart(v.text[pos-1]) {
		return
	}
	v.options(p, pos+len(p.name))
}

// nearOption is how far after a program's name an option is looked for before
// the line is worth a look anyway.
const nearOption = 256

// quick reports whether the program, whose name, and a space, is b[pos:end], may
// have an option for which the line is looked at.
func (p *program) quick(b []byte, pos, end int) bool {
	if pos > 0 && b[pos-1] != '\n' && !programStart(b[pos-1]) && !bytes.HasSuffix(b[:pos], []byte(`\n`)) {
		return false
	}
	if p.argument > 0 || len(p.flags) > 0 && p.flags[0].option[0] == '/' {
		return true
	}
	for i := end; i < len(b); i++ {
		switch b[i] {
		case '\n':
			return b[i-1] == '\\' || b[i-1] == '\r'
		case '-':
			switch b[i-1] {
			case ' ', '\t', '"', '\'', ',':
				return true
			}
		}
		if i-end == nearOption {
			return true
		}
	}
	return true
}

// programStart reports whether a program's name may begin after c.
func programStart(c byte) bool {
	switch c {
	case ' ', '\t', '/', '\\', '"', '\'', '`', '(', ';', '&', '|', '>', ',', '[', ':', '$', '+', '-', '%':
		return true
	}
	return false
}

// radiusSecret is which argument of radtest is the secret of the server, after the
// password of the user.
const radiusSecret = 5

// sshpassOptions are those of sshpass that have an argument, which is no password.
var sshpassOptions = [...]string{"-P", "-f", "-d"}

// options looks at the words from i on for the options of a program.
func (v *view) options(p *program, i int) {
	v.curl = v.curl || p == &programs[0]
	if i < v.optionsTo || p.needs != "" && !bytes.Contains(v.text[i:min(v.hi, i+nearProgram)], []byte(p.needs)) {
		return
	}
	args := 0
	var before []byte
	for n := 0; n < maxArgs && i < v.hi; n++ {
		i = v.spaces(i)
		w := v.shellWord(i)
		if w == i {
			break
		}
		if c := v.text[i]; c == '-' || c == '/' || isQuote(c) {
			w = v.option(p, i, w)
		}
		if v.text[i] != '-' {
			if p.name == "sshpass" && !slices.Contains(sshpassOptions[:], string(before)) {
				break // the command that it runs
			}
			if args++; args == p.argument || p.name == "radtest" && args == radiusSecret {
				v.bareArgument(p, i, w)
			}
		}
		if last := v.text[w-1]; last == ';' || v.text[i] == last && (last == '&' || last == '|') {
			i = w
			break // another command follows
		}
		before, i = v.text[i:w], w
	}
	v.optionsTo = i
}

// shellWord returns the end of the word at i. A quoted part is kept together where
// it begins the word, or follows a colon or an equals sign; any other quote
// ends the word, for it ends the string that the command is in.
func (v *view) shellWord(i int) int {
	start := i
	for i < v.hi {
		c := v.text[i]
		if ascii.Is(c, ascii.Blank) || c == '\r' {
			return i
		}
		n := 0
		for i+n < v.hi && v.text[i+n] == '\\' {
			n++
		}
		if i+n < v.hi && isQuote(v.text[i+n]) {
			if i > start && v.text[i-1] != ':' && v.text[i-1] != '=' || v.closesString(i, n) {
				return i
			}
			q := quote{mark: v.text[i+n], escape: n}
			v.quoted(i+n+1, &q)
			if q.open {
				return i
			}
			i = q.after
			continue
		}
		i += n + 1
	}
	return min(i, v.hi)
}

// closesString reports whether the mark after n backslashes at i ends the
// string in double quotes that i is in.
func (v *view) closesString(i, n int) bool {
	return v.text[i+n] == '"' && n%2 == 0 && v.quotes(i)%2 == 1
}

// option looks at the option v.text[i:w], and returns where to go on.
func (v *view) option(p *program, i, w int) int {
	opt := bytes.Trim(v.text[i:w], `"',`)
	for _, f := range p.flags {
		switch {
		case string(opt) == f.option:
			j := v.spaces(w)
			end := v.shellWord(j)
			v.argument(f, j, end)
			return end
		case len(opt) > len(f.option) && f.joined && string(opt[:len(f.option)]) == f.option,
			len(opt) > len(f.option)+1 && f.option[1] == '-' && string(opt[:len(f.option)]) == f.option && opt[len(f.option)] == '=':
			at := bytes.Index(v.text[i:w], opt) + i + len(f.option)
			if v.text[at] == '=' {
				at++
			}
			v.argument(f, at, at+len(opt)-(at-i-bytes.Index(v.text[i:w], opt)))
			return w
		}
	}
	return w
}

// endOfArgument returns the end of the argument v.text[i:end] without the signs of a
// shell that end a command after it: tool -p 'password'; and $(tool -p password).
func (v *view) endOfArgument(i, end int) int {
	n := end
	for n > i && strings.IndexByte(";&|)", v.text[n-1]) >= 0 {
		n--
	}
	switch {
	case n == end || n == i:
		return end
	case isQuote(v.text[i]) && n > i+1 && v.text[n-1] == v.text[i]:
		return n
	case isQuote(v.text[i]):
		return end
	case v.text[end-1] == ';' || v.text[end-1] == ')' && bytes.Contains(v.text[max(v.lo, i-maxCommand):i], []byte("$(")):
		return end - 1
	}
	return end
}

// argument marks the password in the argument v.text[i:end] of f.
func (v *view) argument(f cliFlag, i, end int) {
	end = v.endOfArgument(i, end)
	for i < end && (isQuote(v.text[i]) || v.text[i] == '\\') {
		i++
	}
	for end > i && (isQuote(v.text[end-1]) || v.text[end-1] == '\\' || v.text[end-1] == ',') {
		end--
	}
	if f.sep != 0 {
		n := bytes.IndexByte(v.text[i:end], f.sep)
		if n < 0 || value.Reference(v.text[i:end]) || value.Templates(v.text[i:end]) > 0 {
			return
		}
		p := bytes.Trim(v.text[i+n+1:end], `"'`)
		if u := v.text[i : i+n]; len(p) == 0 && !value.TraitsOf(u).Random(8) {
			return
		}
		if len(p) > 0 && (value.Reference(p) || p[0] == '$' || value.TraitsOf(p).Placeholder() && !commonSecret(p)) {
			return
		}
		if f.sep == '=' || f.sep == '/' {
			v.add(i+n+1, end, ruleCLI)
			return
		}
		v.addPair(i, i+n, end)
		return
	}
	b := v.text[i:end]
	if len(b) == 0 || b[0] == '-' {
		return
	}
	if t := value.TraitsOf(b); t.Len < 3 || t.Signs == t.Len || t.Placeholder() && !commonSecret(b) {
		return
	}
	v.add(i, end, ruleCLI)
}

// bareArgument marks the argument v.text[i:end] of p, which is a password by its
// place, where it looks like one.
func (v *view) bareArgument(p *program, i, end int) {
	sep := p.sep
	if sep == '/' || sep == '@' {
		if n := bytes.LastIndexByte(v.text[i:end], '@'); n > 0 {
			end = i + n
		}
	}
	if sep == '@' {
		v.argument(cliFlag{sep: ':'}, i, end)
		return
	}
	b := bytes.Trim(v.text[i:end], `"'`)
	if t := value.TraitsOf(b[bytes.IndexByte(b, sep)+1:]); t.Len >= 6 && (t.Digits > 0 || t.Random(8) || t.Coined()) && t.Bytes[0] != '/' && t.Bytes[0] != '$' {
		v.argument(cliFlag{sep: sep}, i, end)
	}
}

// addPair marks the user and the password v.text[start:end] with its colon. Where
// each has quotes of its own they stay: "user":"password".
func (v *view) addPair(start, colon, end int) {
	user, pass := colon, colon+1
	for user > start && isQuote(v.text[user-1]) {
		user--
	}
	for pass < end && isQuote(v.text[pass]) {
		pass++
	}
	if user == colon && pass == colon+1 {
		v.add(start, end, ruleCLI)
		return
	}
	v.add(start, user, ruleCLI)
	v.add(pass, end, ruleCLI)
}

// commonSecret reports whether b, as an argument, is a bad password rather
// than the word for one.
func commonSecret(b []byte) bool {
	switch string(b) {
	case "secret", "admin", "root", "changeme", "test", "guest", "foobar", "pass", "password", "passwd", "pwd":
		return true
	}
	return false
}

// quickUserOption reports whether an option for a user is before the option at pos.
func quickUserOption(b []byte, pos int) bool {
	before := b[max(0, pos-maxTag):pos]
	return bytes.Contains(before, []byte(" -u ")) || bytes.Contains(before, []byte(" --user")) || bytes.Contains(before, []byte(" -U "))
}

// projectOption are parts of commands in which -p is no password: it is a port, or a
// project.
var projectOption = [...]string{"docker", "podman", "compose", "changelog"}

// userOption finds the password of the user that an option before that at pos names,
// whatever the program: tool -u ada -p password. It is no number, such as that of a port,
// and no path.
func userOption(v *view, pos int) {
	for _, other := range projectOption {
		if bytes.Contains(v.text[max(v.lo, pos-maxCommand):pos], []byte(other)) {
			return
		}
	}
	i := v.spaces(pos + len(" -p "))
	end := v.shellWord(i)
	b := bytes.Trim(v.text[i:end], `"'`)
	t := value.TraitsOf(b)
	if !quickUserOption(v.text[v.lo:], pos-v.lo) || t.Len < value.MinPassword || ascii.Run(b, ascii.Digit|ascii.Dot|ascii.Colon|ascii.Comma|ascii.Plus|ascii.Dash) == t.Len || t.Path() || b[0] == '%' || t.Slashes > 0 || ascii.Contains(b, ':') {
		return
	}
	if t.Digits > 0 || t.Coined() || t.Random(value.MinToken) {
		v.argument(cliFlag{}, i, end)
	}
}

// quickLogin reports whether a colon is before the sign of a host at pos, and no address.
func quickLogin(b []byte, pos int) bool {
	return ascii.Contains(b[max(0, pos-maxTag):pos], ':') && pos > 0 && ascii.Is(b[pos-1], ascii.Alnum|ascii.Query|ascii.Tilde)
}

// loginOfHost finds the password of user:password@address, as lists of proxies have it;
// pos is that of the sign. Those with a scheme are of URLs.
func loginOfHost(v *view, pos int) {
	start := pos
	for start > v.lo && pos-start < value.MaxJudged && !stops(v.text[start-1]) && v.text[start-1] != '=' && v.text[start-1] != '/' {
		start--
	}
	user, password, _ := bytes.Cut(v.text[start:pos], []byte{':'})
	switch t := value.TraitsOf(password); {
	case t.Len < value.MinPassword, len(user) == 0 || ascii.Run(user, ascii.Word|ascii.Dash|ascii.Dot) < len(user), start > v.lo && v.text[start-1] == '/':
	case string(user) == "sip" || string(user) == "ssh" || string(user) == "mailto" || string(user) == "tel":
	case t.Digits == t.Len || t.Placeholder() || t.Digits == 0 && !t.Coined() && !t.Random(value.MinToken):
	default:
		v.add(pos-len(password), pos, ruleURL)
	}
}

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

// tableOfKeys notes that the value of a key is on one of the next lines, or marks it on
// this one, as Azure lists the keys of an account; pos is that of the key's name.
func tableOfKeys(v *view, pos int) {
	end := min(v.hi, pos+maxInline)
	if n := bytes.Index(v.text[pos:end], []byte(`"value"`)); n >= 0 {
		v.blockMember(names.Telling, pos+n+1)
		return
	}
	if n := v.indent(); n > 0 && n < maxBlockIndent && !v.cutLeft && !v.cutRight {
		v.next.block = block{names.Telling, uint8(n - 1), maxExpected}
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

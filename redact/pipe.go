package redact

import "bytes"

// pipedPassword finds the password that echo gives to a command which reads one from its
// input: echo 'user:password' | chpasswd; pos is that of the command.
func pipedPassword(v *view, pos int) {
	from := max(v.lo, pos-maxJudged)
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
	for end > i && (is(v.text[end-1], blank) || isQuote(v.text[end-1]) || v.text[end-1] == '\\') {
		end--
	}
	for i < end && (isQuote(v.text[i]) || v.text[i] == '\\') {
		i++
	}
	if bytes.HasPrefix(v.text[pos:v.hi], []byte("chpasswd")) {
		i += bytes.IndexByte(v.text[i:end], ':') + 1 // user:password
	}
	if b := v.text[i:end]; len(b) >= minValue && !reference(b) && !traitsOf(b).placeholder() && bytes.IndexByte(b, '|') < 0 {
		v.add(i, end, ruleCLI)
	}
}

package redact

import "bytes"

// A keyBlock counts the lines that a private key may still have; 0 is outside.
type keyBlock int

const maxKeyLines = 512

const ruleKey = "private-key"

// privateKey finds a private key block that begins at pos. One that ends on
// the line is masked whole; else the line is masked from there, and the lines
// that follow are taken out by keyLine.
func privateKey(v *view, pos int) {
	line := v.text[pos:v.hi]
	head := headerLen(line)
	if head == 0 {
		return
	}
	if i := bytes.Index(line[head:], []byte("-----END ")); i >= 0 {
		end := head + i + len("-----END ")
		if n := bytes.Index(line[end:], []byte("-----")); n >= 0 {
			end += n + len("-----")
		}
		v.add(pos, pos+end, ruleKey)
		return
	}
	end := head + keyRun(line[head:])
	rest := bytes.TrimRight(line[end:], " \t\"',+\\;`")
	if len(rest) > 0 && end == head {
		return
	}
	v.add(pos, pos+end, ruleKey)
	v.keyOpen = len(rest) == 0
}

// headerLen is the length of the "-----BEGIN ... PRIVATE KEY-----" at the
// start of b, 0 where it is none.
func headerLen(b []byte) int {
	const begin = "-----BEGIN "
	if !bytes.HasPrefix(b, []byte(begin)) {
		return 0
	}
	n := bytes.Index(b[len(begin):min(len(b), 80)], []byte("-----"))
	if n < 0 || !bytes.Contains(b[len(begin):len(begin)+n], []byte("PRIVATE KEY")) {
		return 0
	}
	return len(begin) + n + len("-----")
}

// keyRun is how much of b is the text of a key on one line, with its line ends
// as escapes.
func keyRun(b []byte) int {
	n := 0
	for n < len(b) {
		switch c := b[n]; {
		case is(c, base64c|equals) || c == '\\' || c == ' ':
			n++
		default:
			return n
		}
	}
	return n
}

// keyStart enters the block that privateKey left open.
func (v *view) keyStart(st *state) {
	if v.keyOpen {
		st.key = maxKeyLines
	}
}

// keyLine takes a line of a key out. What is not of the key stays: a line of
// something else ends the block.
func (v *view) keyLine(st *state) {
	line := bytes.TrimRight(v.text[v.lo:v.hi], "\r\n")
	st.key--
	if i := bytes.Index(line, []byte("-----END ")); i >= 0 {
		st.key = 0
		end := len(line)
		if n := bytes.Index(line[i+9:], []byte("-----")); n >= 0 {
			end = i + 9 + n + 5
		}
		v.keyPart(i, end, line)
		return
	}
	core := bytes.Trim(line, " \t\"',;+\\`>#|*")
	core = bytes.TrimSuffix(core, []byte(`\n`))
	switch n := run(core, base64c|equals|dash); {
	case len(core) == 0:
	case n == len(core), bytes.Contains(core, []byte(": ")) && n > 0:
		i := bytes.Index(line, core)
		v.keyPart(i, i+len(core), line)
	default:
		st.key = 0
	}
}

// keyPart masks line[from:to], or drops the line where there is nothing else.
func (v *view) keyPart(from, to int, line []byte) {
	rest := len(bytes.TrimSpace(line[:from])) + len(bytes.TrimSpace(line[to:]))
	if rest == 0 {
		v.drop = true
		return
	}
	v.add(v.lo+from, v.lo+to, "")
}

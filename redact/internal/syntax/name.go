package syntax

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// A Name is Text[Start:End] of a line, which may have a value.
type Name struct {
	*Line
	Start, End int
}

// Bytes returns the name itself.
func (n Name) Bytes() []byte { return n.Text[n.Start:n.End] }

// NameAt returns the name around pos.
func (l *Line) NameAt(pos int) Name {
	start := pos - ascii.RunBack(l.Text[max(l.Lo, pos-maxName):pos], ascii.Word|ascii.Dash|ascii.Dot)
	if n := ascii.Backslashes(l.Text[l.Lo:], start-l.Lo); n > 0 && start+5 <= pos && l.Text[start] == 'u' && ascii.Run(l.Text[start+1:start+5], ascii.HexDigit) == 4 {
		start += 5 // \u0026, also within JSON once more
	} else if n%2 == 1 && start < pos {
		start++ // the letter of an escape, such as \n
	}
	if start > l.Lo && l.Text[start-1] == '%' && start+2 <= pos && ascii.Run(l.Text[start:start+2], ascii.HexDigit) == 2 {
		start += 2 // the digits of an escape in a URL
	}
	end := pos + ascii.Run(l.Text[pos:min(l.Hi, pos+maxName)], ascii.Word|ascii.Dash)
	end -= ascii.RunBack(l.Text[pos:end], ascii.Dash)
	return Name{l, start, end}
}

// maxName is how many bytes of a name before and after a place in it are read.
const maxName = 64

// NamesVariable reports whether the name ends its line and is itself the value of a name:
// that of a variable, whose value is on the next line.
func (n Name) NamesVariable() bool {
	if len(TrimValue(n.Text[n.End:n.Hi])) > 0 {
		return false
	}
	start := n.Lo + len(bytes.TrimRight(n.Text[n.Lo:n.Start], "\"'` \t"))
	return start > n.Lo+3 && (n.Text[start-1] == ':' || n.Text[start-1] == '=')
}

// ClosesString reports whether the quote at i ends the string that the name is in, rather
// than begins a value: 'password = '.
func (n Name) ClosesString(i int) bool {
	if i >= n.Hi || !IsQuote(n.Text[i]) || n.Start == n.Lo || n.End < n.Hi && IsQuote(n.Text[n.End]) {
		return false
	}
	from := max(n.Lo, n.Start-256)
	before := n.Text[from:n.Start]
	marks := bytes.Count(before, n.Text[i:i+1])
	for j := 0; ascii.Contains(before[j:], '\\'); {
		if j += bytes.IndexByte(before[j:], '\\') + 1; j < len(before) && before[j] == n.Text[i] && ascii.Backslashes(n.Text[n.Lo:], from+j-n.Lo)%2 == 1 {
			marks-- // it is escaped
		}
	}
	if marks%2 == 0 {
		return false
	}
	// An apostrophe may have opened it: then a value follows after all.
	s := n.Quoted(i+1, &Quote{Mark: n.Text[i]})
	return s.End == n.Hi || s.Start == s.End || !ascii.Is(n.Text[s.Start], ascii.Alnum)
}

// Operator returns the offset of the name's value, and the operator between them.
func (n Name) Operator() (int, Operator) {
	i := n.SkipClosing(n.End)
	quoted := i > n.End && n.Text[i-1] != ']'
	if quoted {
		if k := n.afterQuoted(n.Start, i); k > 0 {
			return k, OpAssign
		}
	}
	j := n.SkipSpaces(i)
	size := opLen(n.Text[j:n.Hi])
	after := n.SkipSpaces(j + size)
	switch string(n.Text[j : j+size]) {
	case "->":
		if j == i && after < n.Hi && ascii.Is(n.Text[after], ascii.Alpha) {
			return 0, OpNone // a member of what the name points to
		}
		return n.bracketed(after), OpAssign
	case "=", ":=", "?=", "+=", ".=", "::=", ":::=", "=>", "||=", "|=", "<-":
		return n.bracketed(after), OpAssign
	case "<<<":
		return after, OpAssign
	case "==>", "-->", "--->":
		if bytes.Contains(n.Text[max(n.Lo, n.Start-MaxTag):n.Start], []byte("<!--")) {
			return 0, OpNone // the end of a comment
		}
		return after, OpColon
	case ":":
		if quoted && bytes.HasSuffix(bytes.TrimRight(n.Text[n.Lo:n.Start], `"' `), []byte("?")) {
			return 0, OpNone // ok ? "pass" : "fail"
		}
		if k, ok := n.typedValue(after); ok {
			return k, OpAssign
		}
		if bytes.HasPrefix(n.Text[after:n.Hi], []byte("** ")) {
			after = n.SkipSpaces(after + len("** ")) // **Password:** value
		}
		return n.bracketed(n.tagged(after)), OpColon
	case "::": // of LDIF, or of GitHub's commands, but no scope of a program
		if j == i && (after > j+size || bytes.HasSuffix(n.Text[n.Lo:n.Start], []byte(" name="))) {
			return after, OpColon
		}
		return 0, OpNone
	case "||", "??", "?:":
		return after, OpElse
	case "==", "===", "!=", "!==":
		return after, OpCompare
	case ">":
		after = n.valueTag(after)
		if bytes.HasPrefix(n.Text[after:n.Hi], []byte(cdata)) {
			after += len(cdata)
		}
		if quoted && n.namesElement() || n.Start > n.Lo && n.Text[n.Start-1] == '<' || !quoted && n.Text[max(n.Lo, n.Start-1)] == ':' {
			return after, OpTag
		}
		return 0, OpNone
	case "":
		return n.operatorWord(i, j, quoted)
	}
	return 0, OpNone
}

// operatorWord returns the result of Operator if the operator is a sign of one kind of
// text only, or no sign; i follows the name and its quotes, j the spaces after them.
func (n Name) operatorWord(i, j int, quoted bool) (int, Operator) {
	if j >= n.Hi {
		return 0, OpNone
	}
	if k, op, ok := n.operatorSign(j, j == i); ok {
		return k, op
	}
	if k := n.numbered(i, j); k > 0 {
		return k, OpColon
	}
	switch {
	case n.Text[j] == '-' && j > i && j+2 < n.Hi && n.Text[j+1] == ' ':
		return j + 2, OpBeside // token - 'value'
	case n.Text[j] == ')':
		return n.afterCall(j+1, quoted)
	case (n.Text[j] == '(' || n.Text[j] == '{' && j+1 < n.Hi && n.Text[j+1] == '"') && j == i && !quoted:
		return n.SkipSpaces(j + 1), OpCall
	case j == i:
		return 0, OpNone
	case n.Text[j] == '{':
		if k, ok := n.property(j); ok {
			return k, OpAssign
		}
	case quoted && n.Text[n.Start] == '-' && IsQuote(n.Text[j]):
		return j, OpOption // of a list of arguments, in quotes each
	case n.Start > n.Lo && n.Text[n.Start-1] == '<' || quoted || n.prefixedTag():
		if k, ok := n.attributes(j, !quoted || n.namesElement()); ok {
			return k, OpTag
		}
	case n.Text[n.Start] == '-':
		return j, OpOption
	case bytes.HasPrefix(n.Text[j:n.Hi], []byte("eq ")), bytes.HasPrefix(n.Text[j:n.Hi], []byte("-eq ")):
		return n.SkipSpaces(j + bytes.IndexByte(n.Text[j:n.Hi], ' ')), OpCompare
	}
	if quoted {
		return 0, OpNone
	}
	return n.operatorProse(j)
}

// operatorSign returns the result of Operator for the sign at j, after the name and its
// quotes; near says that no space is between.
func (n Name) operatorSign(j int, near bool) (int, Operator, bool) {
	b := n.Text[j:n.Hi]
	switch c := b[0]; {
	case c != 'u' && ascii.Is(c, ascii.Alnum):
		return 0, OpNone, false // a word: most names have one after them
	case c == 0xef && bytes.HasPrefix(b, []byte("\uff1a")):
		return n.SkipSpaces(j + len("\uff1a")), OpColon, true
	case c == ',':
		k, op := n.argumentAfter(n.SkipSpaces(j + 1))
		return k, op, true
	case c == '.':
		return n.dotted(j)
	case c == '%' && near && ascii.HasFold(b, "%3d"), c == '%' && j > n.End && ascii.HasFold(b, "%3a"):
		return j + len("%3D"), OpAssign, true
	case c == '&' && ascii.HasFold(b, "&gt;") && bytes.HasSuffix(n.Text[n.Lo:n.Start], []byte("&lt;")):
		return j + len("&gt;"), OpTag, true
	case c == 'u' && j > n.End && n.Text[j-1] == '\\' && ascii.HasFold(b, "u003e") && ascii.HasFold(n.Text[max(n.Lo, n.Start-len("u003c")):n.Hi], "u003c"):
		return j + len("u003e"), OpTag, true
	case c == '<' && j == n.End && n.Start > n.Lo && n.Text[n.Start-1] == '>':
		k, op := n.nextElement(j)
		return k, op, true
	case c == '|' && ascii.HasFold(n.Text[n.SkipSpaces(j+1):n.Hi], "default("):
		return n.SkipSpaces(j+1) + len("default("), OpElse, true
	case c == '|' && (bytes.HasPrefix(bytes.TrimLeft(n.Text[n.Lo:n.Hi], " "), []byte("|")) || n.Leads(n.Start)):
		return n.SkipSpaces(j + 1), OpComma, true
	case c == 0xe2 && (bytes.HasPrefix(b, []byte("│ ")) || bytes.HasPrefix(b, []byte("║ "))) && n.Text[n.Lo] == c:
		return n.SkipSpaces(j + len("│")), OpComma, true // a table of a terminal
	case c == '/' && j == n.End && n.Start > n.Lo && n.Text[n.Start-1] == '/':
		return j + 1, OpPath, true
	}
	return 0, OpNone, false
}

// dotted returns the result of Operator for the dot at j, after the name: that of a
// method, of a pair of Lisp, (name . "value"), or one of many that lead to the value.
func (n Name) dotted(j int) (int, Operator, bool) {
	if dots := ascii.Run(n.Text[j:n.Hi], ascii.Dot); dots >= leader {
		k := n.SkipSpaces(j + dots)
		if k+2 < n.Hi && n.Text[k+2] == ':' {
			return 0, OpNone, false // a time
		}
		if k < n.Hi && n.Text[k] == ':' {
			k = n.SkipSpaces(k + 1)
		}
		return k, OpColon, true
	}
	if j == n.End {
		k, op := n.method(j + 1)
		return k, op, true
	}
	if k := j + len(". "); k < n.Hi && n.Text[k-1] == ' ' && n.Text[j-1] == ' ' && IsQuote(n.Text[k]) && n.Text[max(n.Lo, n.Start-1)] != '$' {
		return k, OpAssign, true
	}
	return 0, OpNone, false
}

// leader is the least number of dots that lead from a name to its value.
const leader = 5

// prefixedTag reports whether the name is the local part of an element's name: <ns:name.
func (n Name) prefixedTag() bool {
	if n.Start == n.Lo || n.Text[n.Start-1] != ':' {
		return false
	}
	size := ascii.RunBack(n.Text[max(n.Lo, n.Start-maxType):n.Start-1], ascii.Word|ascii.Dash)
	return size > 0 && n.Start-2-size >= n.Lo && n.Text[n.Start-2-size] == '<'
}

// Comparison returns the end of the value that precedes the name and is compared with it,
// x == name, x.equals(name), or stored for it: setObject:@"x" forKey:@"name".
func (n Name) Comparison() (int, bool) {
	i := n.Start - ascii.RunBack(n.Text[n.Lo:n.Start], ascii.Blank)
	b := n.Text[n.Lo:i]
	for _, s := range [...]string{` forKey:@"`, `, forKey: "`} {
		if bytes.HasSuffix(b, []byte(s)) {
			return i - len(s), true
		}
	}
	if len(b) == 0 || b[len(b)-1] != '(' && b[len(b)-1] != '=' {
		return 0, false
	}
	for _, s := range [...]string{".equals(", ".equalsIgnoreCase(", "==", "!="} {
		if bytes.HasSuffix(b, []byte(s)) {
			b = bytes.TrimRight(b[:len(b)-len(s)], "=! ")
			return n.Lo + len(b), true
		}
	}
	return 0, false
}

// Several returns the offset of the name's value if several names are set at once: a, b =
// "x", "y". The text after the operator, or after the comma that follows the name, is at
// i.
func (n Name) Several(i int, op Operator) (int, Operator) {
	const between = ascii.Word | ascii.Dot | ascii.Blank | ascii.Comma
	if op == OpComma && n.Text[n.End] == ',' {
		if !ascii.Contains(n.Text[n.End:min(n.Hi, n.End+maxNames+len(":="))], '=') {
			return 0, op
		}
		sign := n.End + ascii.Run(n.Text[n.End:min(n.Hi, n.End+maxNames)], between)
		if i = sign + opLen(n.Text[sign:n.Hi]); i == sign || !isSet(string(n.Text[sign:i])) {
			return 0, op
		}
		first := n.Start - ascii.RunBack(n.Text[max(n.Lo, n.Start-maxNames):n.Start], between)
		if first > n.Lo && (n.Text[first-1] == '(' || n.Text[first-1] == '=') {
			return 0, op // an argument, and the name of the next: f(name, encoding='utf-8')
		}
		i = n.SkipSpaces(i)
	} else if op != OpAssign || i == n.End {
		return 0, op
	}
	before := n.Text[n.Start-ascii.RunBack(n.Text[max(n.Lo, n.Start-maxNames):n.Start], between) : n.Start]
	for range bytes.Count(before, []byte{','}) {
		_, q := n.Value(i)
		if q.Mark == 0 || q.Open || q.After >= n.Hi || n.Text[q.After] != ',' {
			return 0, op
		}
		i = n.SkipSpaces(q.After + 1)
	}
	if i >= n.Hi || !IsQuote(n.Text[i]) {
		return 0, op
	}
	return i, OpAssign
}

// maxNames is how many bytes of the names that are set at once are examined.
const maxNames = 128

func isSet(op string) bool { return op == "=" || op == ":=" }

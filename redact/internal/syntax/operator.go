package syntax

// An Operator is the relation between a name and its value, by the signs or words between
// them.
type Operator uint8

const (
	OpNone    Operator = iota
	OpAssign           // = or another sign of assignment
	OpColon            // :
	OpCompare          // ==
	OpComma            // a name in quotes as an argument, its value the next
	OpTag              // <name>value
	OpOption           // --name value
	OpCall             // name("value")
	OpBeside           // name value, name 'value'
	OpPath             // /name/value, in the path of a URL
	OpIs               // name is value
	OpMember           // name: NAME, and on the next line value: value
	OpElse             // getenv("NAME") or "value"
	OpProse            // the name of some words is value
	OpList             // name: [, and on the next lines values
)

// opLen returns the length of the operator at the start of b. It ends before a sign that
// may belong to the value.
func opLen(b []byte) int {
	n := 0
	for n < len(b) && n < 5 && operatorSigns[b[n]] {
		n++
	}
	for n > 0 && !isOperator(string(b[:n])) {
		n--
	}
	return n
}

var operatorSigns = [256]bool{'=': true, ':': true, '?': true, '+': true, '.': true, '>': true, '|': true, '!': true, '<': true, '-': true}

func isOperator(s string) bool {
	switch s {
	case "=", ":=", "?=", "+=", ".=", "::=", ":::=", "=>", "->", "||=", "|=", "<-", "<<<", "==>", "-->", "--->", ":", "==", "===", "!=",
		"!==", ">", "::", "||", "??", "?:":
		return true
	}
	return false
}

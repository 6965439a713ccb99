package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// argumentAfter finds the value at i, after a name and a comma.
func (v *view) argumentAfter(i int) (int, operator) {
	if ascii.HasFold(v.text[i:v.hi], "default=") {
		return i + len("default="), opElse
	}
	if k, ok := v.valueMember(v.afterTypes(i)); ok {
		return k, opColon
	}
	if bytes.HasPrefix(v.text[i:v.hi], []byte(`<<"`)) {
		i += len("<<") // of Erlang
	}
	return i, opComma
}

// afterTypes skips the members at i that may be between the name of a variable and its
// value: "type": "string", "secure": true.
func (v *view) afterTypes(i int) int {
	for range 3 {
		j := v.spaces(v.closing(i))
		n := ascii.Run(v.text[j:min(v.hi, j+maxType)], ascii.Word)
		k := v.spaces(v.closing(j + n))
		if j == i || n == 0 || k >= v.hi || v.text[k] != ':' || ascii.HasFold(v.text[j:v.hi], "value") {
			return i
		}
		j = v.spaces(v.closing(v.spaces(k + 1)))
		n = ascii.Run(v.text[j:min(v.hi, j+maxType)], ascii.Word|ascii.Dash)
		if j = v.closing(j + n); n == 0 || j >= v.hi || v.text[j] != ',' {
			return i
		}
		i = v.spaces(j + 1)
	}
	return i
}

// method finds the string that a method of a name at i is called with:
// password.equals("value"), secret.assign("value").
func (v *view) method(i int) (int, operator) {
	n := ascii.Run(v.text[i:v.hi], ascii.Alpha|ascii.Under)
	if i+n < v.hi && v.text[i+n] == '?' {
		n++
	}
	if j := i + n + 1; j < v.hi && v.text[j-1] == '(' && isQuote(v.text[j]) {
		switch string(v.text[i : i+n]) {
		case "equals", "equalsIgnoreCase", "eql?", "compareTo", "compare", "contentEquals", "assign", "set", "setValue", "setText",
			"append", "push_back", "insert", "sendKeys", "send_keys", "fill", "type", "val",
			"toBe", "toEqual", "isEqualTo":
			return j, opCall
		}
	}
	return 0, opNone
}

// valueMember finds the value of a list of variables: {"name": "X", "value":
// "..."}.
func (v *view) valueMember(i int) (int, bool) {
	for i < v.hi && (v.text[i] == '\\' || v.text[i] == '"' || v.text[i] == '\'') {
		i++
	}
	if !ascii.HasFold(v.text[i:v.hi], "value") {
		return 0, false
	}
	i = v.spaces(v.closing(i + len("value")))
	if i < v.hi && (v.text[i] == ':' || v.text[i] == '=') {
		return v.spaces(i + 1), true
	}
	return 0, false
}

// afterCall finds the value that is used where a call that ends before i gives
// none, getenv("NAME") ?? "value", or that what it gives is compared with,
// expect(name).toBe("value"). quoted reports whether the name is in quotes.
func (v *view) afterCall(i int, quoted bool) (int, operator) {
	if i < v.hi && v.text[i] == '.' {
		if j, op := v.method(i + 1); op != opNone {
			return j, op
		}
	}
	if !quoted {
		return 0, opNone
	}
	for _, s := range [...]string{"?? ", "?: ", "|| ", "or ", "{ ", ".unwrap_or(", ".orElse(", ".getOrElse("} {
		if j := v.spaces(i); bytes.HasPrefix(v.text[j:v.hi], []byte(s)) {
			return v.spaces(j + len(s)), opElse
		}
	}
	return 0, opNone
}

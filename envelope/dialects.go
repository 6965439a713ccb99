package envelope

import "strings"

// dialects are all of them, the default first.
var dialects = [...]*dialect{&protocolV1, &foxctlV1, &helperV1, &delegatorV36, &toolEnvelopeV1, &agentResponseV1}

// Dialects returns all dialects, the default first.
func Dialects() []Dialect {
	list := make([]Dialect, len(dialects))
	for i, d := range dialects {
		list[i] = d
	}
	return list
}

// Formats returns all formats that [Encode] writes: the dialects, and brief/v1, a text
// that [Decode] cannot read.
func Formats() []Dialect { return append(Dialects(), &briefV1) }

// Lookup returns the format with a name, which may lack the version ("helper" for
// "helper/v1").
func Lookup(name string) (Dialect, bool) {
	for _, d := range Formats() {
		short, _, _ := strings.Cut(d.Name(), "/")
		if name == d.Name() || name == short {
			return d, true
		}
	}
	return nil, false
}

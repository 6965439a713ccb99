package envelope

import (
	"slices"
	"strings"
)

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

// Formats returns what an envelope can be written in: all dialects, and
// brief/v1, a text that is never read back.
func Formats() []Dialect { return append(Dialects(), &briefV1) }

// Lookup finds a format by its full name or by the name without the version
// ("helper" for "helper/v1").
func Lookup(name string) (Dialect, bool) {
	for _, d := range Formats() {
		short, _, _ := strings.Cut(d.Name(), "/")
		if name == d.Name() || name == short {
			return d, true
		}
	}
	return nil, false
}

// isProtocol reports whether the data of a dialect is that of protocol/v1.
func isProtocol(name string) bool {
	return slices.ContainsFunc(dialects[:], func(d *dialect) bool { return d.name == name && d.protocol })
}

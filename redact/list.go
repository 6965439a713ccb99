package redact

const (
	maxListed = 32 // how many values of a list are looked at
	minListed = 12 // the least length of one: what is short in a list is a name
)

// list looks at the values after the bracket at i: name: ["a", "b"]. They may
// be on the next lines.
func (v *view) list(f field, i int) {
	if len(trimRight(v.text[i:v.hi])) == 1 {
		v.pend(f.strength, opList)
		return
	}
	for range maxListed {
		f.value, f.quote = v.value(v.spaces(i + 1))
		v.listed(&f)
		if i = f.value.end; f.quote.mark != 0 {
			i = f.quote.after
		}
		if i = v.spaces(i); i >= v.hi || v.text[i] != ',' {
			return
		}
	}
}

// listed marks a value of a list, where that is secret.
func (v *view) listed(f *field) {
	t := traitsOf(v.text[f.value.start:f.value.end])
	if (t.random(minListed) || t.uuid() || f.strength == password && t.scrambled()) && v.secret(f) {
		v.add(f.value.start, f.value.end, ruleAssignment)
	}
}

// pendingList looks at the line for a value of a list that began before it, and
// goes on with the line after: "value", of JSON, - value of YAML.
func (v *view) pendingList(st strength, i int) {
	if v.text[i] == '-' {
		i = v.spaces(i + 1)
	}
	f := field{strength: st, op: opColon, start: v.lo, end: v.lo}
	f.value, f.quote = v.value(i)
	if st == password && f.quote.mark == 0 {
		f.value.end = v.ampersands(f.value.start, f.value.end)
	}
	if f.value.start == f.value.end || len(trimValue(v.text[f.value.end:v.hi])) > 0 {
		return
	}
	v.pend(st, opList)
	v.listed(&f)
}

package redact

import "maps"

const ruleOption = "option"

// Args returns an argument list with secrets masked, those in an argument of
// their own behind an option (--password x) too. argv is not changed.
func (r *Redactor) Args(argv []string) ([]string, Counts) {
	if r.mode == Off {
		return argv, nil
	}
	out := make([]string, len(argv))
	counts := Counts{}
	for i, a := range argv {
		s, c := r.String(a)
		out[i] = s
		add(counts, c)
		if r.mode == All && i > 0 && secretOption(argv[i-1]) && s == a && len(a) > 0 && a[0] != '-' {
			b := []byte(a)
			if t := traitsOf(b); t.n >= 4 && !placeholder(b, t) {
				out[i] = Mask
				counts[ruleOption]++
			}
		}
	}
	if len(counts) == 0 {
		return argv, nil
	}
	return out, maps.Clone(counts)
}

// secretOption reports whether a is an option whose argument is secret.
func secretOption(a string) bool {
	return len(a) > 2 && a[0] == '-' && strengthOf([]byte(a), nil) >= telling
}

func add(to, from Counts) {
	for k, n := range from {
		to[k] += n
	}
}

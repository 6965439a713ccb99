package redact

import "github.com/envwrap/envwrap/redact/internal/rules/command"

// Args returns an argument list with its secrets masked: those found in each argument
// by itself, the value of an option whose name means a secret (--password x,
// --password=x, PASSWORD=x), and arguments that the program takes for credentials (curl
// -u user:x). argv is not changed; it is returned itself if nothing was masked.
func (r *Redactor) Args(argv []string) ([]string, Counts) {
	if r.mode == Off {
		return argv, nil
	}
	out := make([]string, len(argv))
	counts := Counts{}
	var line command.Argv
	for i, a := range argv {
		s, c := r.String(a)
		for rule, n := range c {
			counts[rule] += n
		}
		if r.mode == All {
			if masked, rule := line.Mask(argv[:i+1], s); masked != s {
				s = masked
				counts[rule]++
			}
		}
		out[i] = s
	}
	if len(counts) == 0 {
		return argv, nil
	}
	return out, counts
}

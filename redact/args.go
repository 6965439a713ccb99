package redact

import (
	"strings"

	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/value"
)

const ruleOption = "option"

// Args returns an argument list with its secrets masked: what is found in each argument
// by itself, the value of an option whose name means a secret (--password x,
// --password=x, PASSWORD=x), and arguments that the program takes for credentials (curl
// -u user:x). argv is not changed; it is returned as it is if nothing was masked.
func (r *Redactor) Args(argv []string) ([]string, Counts) {
	if r.mode == Off {
		return argv, nil
	}
	out := make([]string, len(argv))
	counts := Counts{}
	var p *program
	previous := ""
	for i, a := range argv {
		s, c := r.String(a)
		for rule, n := range c {
			counts[rule] += n
		}
		if r.mode == All {
			if masked, rule := maskArg(p, previous, s); masked != s {
				s = masked
				counts[rule]++
			}
			p = programOf(previous, a, p)
		}
		out[i], previous = s, a
	}
	if len(counts) == 0 {
		return argv, nil
	}
	return out, counts
}

// programOf returns the program that the argument a names, or that previous does where
// a is the word that it needs, else p.
func programOf(previous, a string, p *program) *program {
	name := base(a)
	for i := range programs {
		q := &programs[i]
		if first, verb, ok := strings.Cut(q.name, " "); ok && verb == a && strings.EqualFold(first, base(previous)) {
			return q // "az login"
		}
		if q.needs == "" && strings.EqualFold(q.name, name) || q.needs != "" && q.needs == a && strings.EqualFold(q.name, base(previous)) {
			return q
		}
	}
	return p
}

func base(a string) string { return a[strings.LastIndexAny(a, `/\`)+1:] }

// maskArg masks the argument a after previous, in a command of program p
// (nil is any), where the two or its own front say that it is secret.
func maskArg(p *program, previous, a string) (masked, rule string) {
	if p != nil {
		for _, f := range p.flags {
			switch {
			case previous == f.option && (f.sep == 0 || strings.IndexByte(a, f.sep) >= 0) && maskable(a):
				return Mask, ruleCLI
			case f.joined && len(a) > len(f.option) && strings.HasPrefix(a, f.option) && a[1] != '-' && maskable(a[len(f.option):]):
				return f.option + Mask, ruleCLI
			}
		}
	}
	if secretOption(previous) && !strings.Contains(a, "=") && maskable(a) {
		return Mask, ruleOption
	}
	name, value, ok := strings.Cut(a, "=")
	if ok && (secretOption(name) || strings.ToUpper(name) == name && names.StrengthOf([]byte(name), nil) >= names.Telling) && maskable(value) {
		return name + "=" + Mask, ruleOption
	}
	return a, ""
}

// secretOption reports whether a is an option whose argument is secret.
func secretOption(a string) bool {
	return len(a) > 2 && a[0] == '-' && !strings.Contains(a, "=") && names.StrengthOf([]byte(a), nil) >= names.Telling
}

// maskable reports whether a, which should be secret by its place, is there and
// no reference to one.
func maskable(a string) bool {
	return a != "" && a[0] != '-' && a != Mask && !strings.Contains(a, Mask) && !value.Reference([]byte(a)) && !pathLike(a)
}

package redact

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// What a program takes for a password is masked in a list of arguments and in a line.
func TestPrograms(t *testing.T) {
	r := New(Options{})
	const secret = "s3same99Kx"
	check := func(words ...string) {
		line := strings.Join(words, " ")
		if got, _ := r.Args(words); strings.Contains(strings.Join(got, " "), secret) {
			t.Errorf("%q as arguments: got %q", line, got)
		}
		if got, _ := r.String(line); strings.Contains(got, secret) {
			t.Errorf("%q as a line: got %q", line, got)
		}
	}
	for i := range programs {
		p := &programs[i]
		name := strings.Fields(p.name)
		if p.argument == 0 && p.needs != "" {
			name = append(name, p.needs)
		}
		for _, f := range p.flags {
			pass := secret
			if f.sep != 0 {
				pass = fmt.Sprintf("ada%c%s", f.sep, secret)
			}
			check(slices.Concat(name, []string{f.option, pass})...)
			if f.joined {
				check(slices.Concat(name, []string{f.option + pass})...)
			}
			if f.option[0] == '-' {
				check(slices.Concat(name, []string{f.option + "=" + pass})...)
			}
		}
		if p.argument == 0 {
			continue
		}
		words := slices.Repeat([]string{"x"}, p.argument)
		words[p.argument-1] = secret
		switch {
		case p.sep == '@':
			words[p.argument-1] = "ada:" + secret + "@host"
		case p.sep != 0:
			words[p.argument-1] = fmt.Sprintf("ada%c%s", p.sep, secret)
		}
		if p.needs != "" {
			words = slices.Insert(words, 0, "-b"+p.needs)
		}
		check(append(name, words...)...)
	}
	for _, line := range []string{
		"htpasswd -nbB ada " + secret, "mysqladmin -uroot -p" + secret + " status", "fly secrets set A=b B=" + secret + " C=" + secret,
	} {
		check(strings.Fields(line)...)
	}
}

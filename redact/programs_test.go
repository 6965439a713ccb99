package redact

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact/internal/rules/command"
)

// Password arguments of programs are masked in a list of arguments and in a line.
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
	for i := range command.Programs {
		p := &command.Programs[i]
		name := strings.Fields(p.Name)
		if p.Argument == 0 && p.Needs != "" {
			name = append(name, p.Needs)
		}
		for _, f := range p.Flags {
			pass := secret
			if f.Sep != 0 {
				pass = fmt.Sprintf("ada%c%s", f.Sep, secret)
			}
			check(slices.Concat(name, []string{f.Option, pass})...)
			if f.Joined {
				check(slices.Concat(name, []string{f.Option + pass})...)
			}
			if f.Option[0] == '-' {
				check(slices.Concat(name, []string{f.Option + "=" + pass})...)
			}
		}
		if p.Argument == 0 {
			continue
		}
		words := slices.Repeat([]string{"x"}, p.Argument)
		words[p.Argument-1] = secret
		switch {
		case p.Sep == '@':
			words[p.Argument-1] = "ada:" + secret + "@host"
		case p.Sep != 0:
			words[p.Argument-1] = fmt.Sprintf("ada%c%s", p.Sep, secret)
		}
		if p.Needs != "" {
			words = slices.Insert(words, 0, "-b"+p.Needs)
		}
		check(append(name, words...)...)
	}
	for _, line := range []string{
		"htpasswd -nbB ada " + secret, "mysqladmin -uroot -p" + secret + " status", "fly secrets set A=b B=" + secret + " C=" + secret,
	} {
		check(strings.Fields(line)...)
	}
}

package shell

import (
	"slices"
	"strings"
	"testing"
)

// Each stage and word is a part of the text, and parses alike by itself.
func FuzzParse(f *testing.F) {
	for _, c := range lastCases {
		f.Add(c.text, int(Bash))
	}
	for _, put := range frames {
		f.Add(put("make 2>&1 | tail 'a b'"), int(Bash))
	}
	f.Add("cat <<X | b 2>&1 >f\n${a}\nX", int(POSIX))
	f.Add("a *(b) {c | d} =e", int(Zsh))
	f.Fuzz(func(t *testing.T, source string, dialect int) {
		text, err := Parse(source, Dialect(dialect))
		if err != nil {
			if text != nil {
				t.Fatal("a text and an error")
			}
			return
		}
		for _, p := range text.List() {
			checkPipeline(t, text, p)
		}
		if last, err := text.Last(); err == nil {
			checkPipeline(t, text, last.Pipeline)
		}
		if setter, ok := text.Setter(); ok && (setter.Words == "" || len(setter.Argv) == 0) {
			t.Fatalf("the command %+v sets the status", setter)
		}
		if frame, ok := text.Frame(); ok {
			quoted := frame.In(source)
			if quoted != frame.Command {
				w, err := Parse("x "+quoted, Bash)
				if err != nil || len(w.List()[0].Stages[0].Argv) != 2 || w.List()[0].Stages[0].Argv[1].Text != frame.Command {
					t.Fatalf("%q is not the command %q", quoted, frame.Command)
				}
			}
		}
	})
}

func checkPipeline(t *testing.T, text *Text, p Pipeline) {
	t.Helper()
	for _, s := range p.Stages {
		if s.Start < p.Start || s.End > p.End || s.Start > s.End && len(s.Argv)+len(s.Assignments)+len(s.Redirections) > 0 {
			t.Fatalf("stage %+v is not in %+v", s.Span, p.Span)
		}
		if len(s.Argv) == 0 || slices.ContainsFunc(s.Redirections, func(r Redirection) bool { return r.Op == "<<" || r.Op == "<<-" }) || strings.Contains(s.In(text.Source), "<<") {
			continue
		}
		alone, err := Parse(s.In(text.Source), text.dialect)
		if err != nil {
			t.Fatalf("stage %q: %v", s.In(text.Source), err)
		}
		only, ok := alone.Only()
		if !ok || !slices.Equal(only.Args(), s.Args()) || only.Literal() != s.Literal() || len(only.Redirections) != len(s.Redirections) {
			t.Fatalf("stage %q is %q in the text, and %q by itself", s.In(text.Source), s.Args(), only.Args())
		}
		for _, w := range s.Argv {
			if w.Literal && !w.Single {
				t.Fatalf("%+v is literal and not single", w)
			}
		}
	}
}

// A command is found in its frame whatever it is, or there is no frame.
func FuzzFrame(f *testing.F) {
	for _, c := range lastCases {
		f.Add(c.text)
	}
	f.Add("a\n)\n__code=$?\nexit $__code\n(\nb")
	f.Fuzz(func(t *testing.T, command string) {
		for client, put := range frames {
			text, err := Parse(put(command), Bash)
			if err != nil {
				continue
			}
			frame, ok := text.Frame()
			if !ok && client != "gemini" {
				t.Fatalf("%s: no frame around %q", client, command)
			}
			if ok && (frame.Command != command || frame.Client != client) {
				t.Fatalf("%s: %q is %q", client, command, frame.Command)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	const text = `cd "$ROOT" && make -j8 2>&1 | tee build.log | grep -iE 'error|warning' | tail -n 40`
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		parsed, err := Parse(text, Bash)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := parsed.Last(); err != nil {
			b.Fatal(err)
		}
	}
}

package redact_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/redact"
)

// prompts are unfinished lines that a reader waits for: what of each has to be shown.
var prompts = []struct{ line, want string }{
	{"name? ", "name? "},
	{"Name:", "Name:"},
	{"Password: ", "Password: "},
	{"Password:", "Password:"},
	{"[sudo] password for ada: ", "[sudo] password for ada: "},
	{"ada@build1.example.org's password: ", "ada@build1.example.org's password: "},
	{"Enter passphrase for key '/home/ada/.ssh/id_ed25519': ", "Enter passphrase for key '/home/ada/.ssh/id_ed25519': "},
	{"Password for 'https://ada@git.example.org': ", "Password for 'https://ada@git.example.org': "},
	{"Are you sure you want to continue connecting (yes/no/[fingerprint])? ", "Are you sure you want to continue connecting (yes/no/[fingerprint])? "},
	{"Do you want to continue? [Y/n] ", "Do you want to continue? [Y/n] "},
	{"rm: remove regular file 'x'? ", "rm: remove regular file 'x'? "},
	{">>> ", ">>> "},
	{"mysql> ", "mysql> "},
	{"(Pdb) ", "(Pdb) "},
	{"\x1b[1mContinue?\x1b[0m ", "\x1b[1mContinue?\x1b[0m "},
	{"\x1b[1mContinue?\x1b[0m", "\x1b[1mContinue?\x1b[0m"},
	{"请输入密码：", "请输入密码："},
	{"\r 45%", "\r 45%"},
	{"\r[####      ] 3/10", "\r[####      ] 3/10"},
	{"\r 12% |███▌", "\r 12% |███▌"},
	{"\rReceiving objects:  45% (1234/2742), 1.20 MiB | 512.00 KiB/s\rReceiving objects:  46% ", "\rReceiving objects:  45% (1234/2742), 1.20 MiB | 512.00 KiB/s\rReceiving objects:  46% "},
	{".....", "....."},
	{"press any key", "press any "},
	{"the key is gh", "the key is "},
	{"the token is ghp_ab", "the token is "},
	{"password=hunter2x9 accepted. Continue? ", "password=*** accepted. Continue? "},
	{"password=c", ""},
	{"password= c", "password= "},
	{"https://ada:hun", ""},
	{"of part7:", "of "},
	{"of a/part:", "of "},
	{"of a=part:", "of "},
	{"of http:", "of "},
	{"of part7)", "of "},
	{"say open ses", "say "},
	{"say open sesame and ", "say *** and "},
	{"say open s", "say "},
}

func TestSettled(t *testing.T) {
	r := redact.New(redact.Options{Values: []redact.Value{{Rule: "env:X", Secret: "open sesame"}}})
	for _, p := range prompts {
		w := r.Writer(&bytes.Buffer{})
		if _, err := w.Write([]byte("before\n" + p.line)); err != nil {
			t.Fatal(err)
		}
		if got := string(w.Settled()); got != p.want {
			t.Errorf("%q: settled %q, want %q", p.line, got, p.want)
		}
	}
}

// The settled output is always a prefix of the final output, for all secrets of the corpus
// and all places where a program may pause.
func TestSettledIsAPrefix(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(3, 3))
	values := []redact.Value{{Rule: "env:X", Secret: "correct horse: battery"}}
	r := redact.New(redact.Options{Values: values})
	cuts, shown, wrong := 0, 0, 0
	texts := []string{"a correct horse: battery b", "twice q7Zk3vB9xT2mL5wR and password=q7Zk3vB9xT2mL5wR"}
	for _, c := range corpus(t, "dev-secrets") {
		texts = append(texts, c.Text)
	}
	for _, text := range texts {
		if rnd.IntN(2*matrix.Every(45)) != 0 && text != texts[0] && text != texts[1] {
			continue
		}
		var out bytes.Buffer
		w := r.Writer(&out)
		var at []int // where the settled bytes begin in out
		var settled [][]byte
		for i := range min(len(text), 2000) {
			_, _ = w.Write([]byte{text[i]})
			cuts++
			if s := w.Settled(); len(s) > 0 {
				shown++
				at, settled = append(at, out.Len()), append(settled, bytes.Clone(s))
			}
		}
		_, _ = w.Write([]byte(text[min(len(text), 2000):]))
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for i, s := range settled {
			if string(s) == "gyazo SECRET " {
				continue // the word SECRET is masked along with its value: no harm
			}
			if !bytes.HasPrefix(out.Bytes()[min(at[i], out.Len()):], s) {
				wrong++
				line, _, _ := strings.Cut(string(out.Bytes()[min(at[i], out.Len()):]), "\n")
				t.Errorf("settled %q of %.200q", s, line)
				break
			}
		}
	}
	t.Logf("%d cuts, %d with something settled, %d texts with a wrong beginning", cuts, shown, wrong)
}

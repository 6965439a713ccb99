package redact_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact"
)

// In a line that repeats itself a secret is found wherever it is: before the repetitions,
// in each of them, between two and after them, and an ordinary text is nowhere changed.
func TestRepeatedText(t *testing.T) {
	r := redact.New(redact.Options{})
	for _, unit := range []string{
		`token="`, "xapp-/", "password=(", "user=ada password=a1,b2; ", "authorization: basic ", "the password of ada, ", `{"password":"`,
		"x=1 password=hunter2x9 ", "AKIA" + "1234567890ABCDEF ", `{"name":"ada","token":"q7Zk3vB9xT2mL5wR"},`, "mysql -pq7Zk3vB9 -h x; ",
		"podman login -p '", "curl -u ada:q7Zk3vB9 ", "curl -u a:q7Zk3vB9 --url x -- y z ", "psexec.py \"a:", "hydra -p ",
	} {
		for _, n := range []int{10, 200, 1500} {
			many, end := strings.Repeat(unit, n), " \"; password=q8Zk4vB0xT3mL6wR\n"
			text := many + end + many + many + end
			out, counts := r.String(text)
			if strings.Contains(out, "q8Zk4vB0") {
				t.Errorf("%d of %q: a secret is left", n, unit)
			}
			one, _ := r.String(unit + "\n")
			for _, s := range []string{"hunter2x9", "q7Zk3vB9", "1234567890ABCDEF"} {
				if left := strings.Count(out, s); !strings.Contains(one, s) && left > 0 {
					t.Errorf("%d of %q: %s is left %d times", n, unit, s, left)
				}
			}
			if again, _ := r.String(out); again != out {
				t.Errorf("%d of %q: a second run masks %v", n, unit, counts)
			}
		}
	}
	for _, unit := range []string{"the token was refreshed, ", "password=${PASSWORD} ", "author: ada; key: name; "} {
		if out, _ := r.String(strings.Repeat(unit, 2000)); strings.Contains(out, "***") {
			t.Errorf("%q is masked when it is repeated", unit)
		}
	}
}

// A line that is the same as the one before is masked and counted as that one was, unless
// what came before it makes a difference.
func TestRepeatedLines(t *testing.T) {
	const times = 50
	for text, masked := range map[string]string{
		"password=hunter2x9":                                          "password=***",
		"\x1b[1mpassword=hunter2x9\x1b[0m":                            "\x1b[1mpassword=***\x1b[0m",
		"the token was refreshed":                                     "the token was refreshed",
		"https://ada:hunter2x9@example.com token=x":                   "https://ada:***@example.com token=x",
		"- name: DB_PASSWORD\n- name: DB_PASSWORD\n  value: q7Zk3vB9": "- name: DB_PASSWORD\n- name: DB_PASSWORD\n  value: \"***\"",
	} {
		r := redact.New(redact.Options{})
		var out bytes.Buffer
		w := r.Writer(&out)
		if _, err := w.Write([]byte(strings.Repeat(text+"\n", times))); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if want := strings.Repeat(masked+"\n", times); out.String() != want {
			t.Errorf("got %.200q, want %.200q", out.String(), want)
		}
		n := 0
		for _, c := range w.Counts() {
			n += c
		}
		if want := times * strings.Count(masked, "***"); n != want {
			t.Errorf("%q: %d secrets are counted, want %d", text, n, want)
		}
	}
}

package redact_test

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/envwrap/envwrap/redact"
)

// Mask a stream on its way, whatever way it is cut into writes.
func ExampleRedactor_Writer() {
	r := redact.New(redact.Options{
		Values: redact.EnvValues([]string{"API_TOKEN=correct-horse-battery"}), // os.Environ() in a program
	})
	w := r.Writer(os.Stdout)
	if _, err := io.Copy(w, strings.NewReader("token correct-horse-battery\nhttps://me:hunter2hunter2@example.com/\n")); err != nil {
		fmt.Println(err)
	}
	if err := w.Close(); err != nil { // it writes what was held back
		fmt.Println(err)
	}
	fmt.Println(w.Counts())
	// Output:
	// token ***
	// https://me:***@example.com/
	// map[env:API_TOKEN:1 url-credentials:1]
}

// Mask the arguments of a command before they are shown.
func ExampleRedactor_Args() {
	argv, _ := redact.New(redact.Options{}).Args([]string{"curl", "-u", "me:hunter2hunter2", "https://example.com/"})
	fmt.Println(argv)
	// Output: [curl -u *** https://example.com/]
}

// Find what only your company knows.
func ExampleRule() {
	ticket := redact.Rule{
		Name:     "ticket",
		Keywords: []string{"acme-"},
		Find: func(text []byte, found func(start, end int)) {
			const digits = 4
			if at := strings.Index(string(text), "ACME-"); at >= 0 {
				begin := at + len("ACME-")
				found(begin, min(begin+digits, len(text)))
			}
		},
	}
	masked, counts := redact.New(redact.Options{Rules: []redact.Rule{ticket}}).String("see ACME-4711")
	fmt.Println(masked, counts)
	// Output: see ACME-*** map[ticket:1]
}

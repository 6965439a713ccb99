package redact

import (
	"strings"

	_ "embed"
)

// services are the names of services that give out keys, in lower case and in order,
// one a line.
//
//go:embed services.txt
var services string

// service reports whether w, in lower case, names a service that gives out keys.
// Beside such a name a word such as "key" tells more.
func service(w string) bool {
	for from, to := 0, len(services); from < to; {
		middle := from + (to-from)/2
		start := strings.LastIndexByte(services[:middle], '\n') + 1
		end := start + strings.IndexByte(services[start:], '\n')
		switch line := services[start:end]; {
		case line == w:
			return true
		case line < w:
			from = end + 1
		default:
			to = start
		}
	}
	return false
}

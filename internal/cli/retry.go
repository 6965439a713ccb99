package cli

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/session"
)

// retries are the options that let a command run again.
type retries struct{ session.Retry }

func defaultRetries() retries {
	return retries{session.Retry{Delay: 250 * time.Millisecond, MaxDelay: 8 * time.Second}}
}

func (y *retries) options() []*option {
	const group = "Retries"
	return []*option{
		{
			name: "retries", value: "N", def: "0", group: group,
			help: "most runs after one that failed", set: into(&y.Times, number),
		},
		{
			name: "retry-on", value: "CODE[,...]", def: "ERATELIMIT,ETIMEOUT, temporary ERUNTIME", many: true, group: group,
			help: "codes after which it runs again", choices: codeNames, set: each(errorCodes(&y.On)),
		},
		{
			name: "retry-delay", value: "DURATION", def: "250ms", group: group,
			help: "before the second run; doubled each time, with jitter", set: into(&y.Delay, duration),
		},
		{
			name: "retry-max-delay", value: "DURATION", def: "8s", group: group,
			help: "longest wait; a server that asks for more ends the retries", set: into(&y.MaxDelay, duration),
		},
		{
			name: "deadline", value: "DURATION", def: "none", group: group,
			help: "no retry begins after this time (--timeout is for each run)", set: into(&y.Deadline, duration),
		},
	}
}

// errorCodes adds ERATELIMIT,ETIMEOUT to a list.
func errorCodes(dst *[]envelope.Code) func(string) error {
	return func(s string) error {
		for part := range strings.SplitSeq(s, ",") {
			i := slices.IndexFunc(codes(), func(c envelope.Code) bool {
				return strings.EqualFold(strings.TrimSpace(part), string(c))
			})
			if i < 0 {
				return badValue(part, "code", "Codes are "+joined(codes())+".")
			}
			*dst = append(*dst, codes()[i])
		}
		return nil
	}
}

// codeNames are the codes of the catalog.
func codeNames() []string {
	var list []string
	for _, c := range codes() {
		list = append(list, string(c))
	}
	return list
}

// number reads how often something may happen.
func number(s string) (int, error) {
	const most = 1000
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > most {
		return 0, badValue(s, "number", "It is 0 to 1000.")
	}
	return n, nil
}

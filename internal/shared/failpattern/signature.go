// Package failpattern recognizes well-known texts at the end of a failed command's
// output: the status of a request, the failure of a disk or a network, the exit status
// that a build tool replaced, how long a server asks to wait.
//
// It reads the last lines only, stderr before stdout, the last line first. A text
// counts only in its usual context: 429 as an HTTP status, not as a count of records.
// The texts are English; nothing is found in the output of a program in another
// language.
//
// The functions have no state and are safe for concurrent use.
package failpattern

import (
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/shared/outcome"
)

// A Match is the meaning of a text.
type Match struct {
	Code      outcome.Code
	Kind      outcome.Kind
	Retryable bool // running the same command again may help
	Network   bool // the network failed
}

// Find looks for a known text at the end of a failed command's output. The streams may
// be whole or only their tails.
func Find(stderr, stdout []byte) (Match, bool) {
	for _, stream := range [...][]byte{stderr, stdout} {
		var m Match
		found, starved := false, false
		lastLines(stream, func(line string) bool {
			if !found && !describes(line) && !isOfTest(line) {
				m, found = inLine(line)
			}
			starved = slices.ContainsFunc(noMemory, func(phrase string) bool { return hasPhrase(line, phrase) })
			return !starved
		})
		if found || starved {
			return m, found && !starved
		}
	}
	return Match{}, false
}

// noMemory are the texts for a process that had no memory left. What else it lost then, such
// as its connections, is a consequence.
var noMemory = []string{
	"out of memory", "oom-kill", "oom killer", "oomkilled", "oom-killed", "cannot allocate memory", "java.lang.outofmemoryerror", "memoryerror", "std::bad_alloc", "enomem",
}

// describes reports whether a line is of a help text: an option with its description, or one
// that speaks of an option.
func describes(line string) bool {
	return strings.HasPrefix(line, "-") && !strings.HasPrefix(line, "---") || strings.HasPrefix(line, "usage:") || strings.Contains(line, " --") && !strings.Contains(line, ": ")
}

// isOfTest reports whether a line is a test's: its title with the mark of a result or a
// number, what it asserts, or a line that grep found. What it says of a failure was expected.
func isOfTest(line string) bool {
	for _, mark := range [...]string{"not ok ", "✗", "✕", "×", "✖", "●", "todo", "--- fail", "fail:"} {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	if rest := strings.TrimLeft(line, "0123456789"); rest != line && strings.HasPrefix(rest, ") ") {
		return true
	}
	if strings.HasPrefix(line, "expected ") || slices.ContainsFunc([]string{"assertionerror", "did not raise", "assert ", "to equal ", "tobe(", "toequal("}, func(word string) bool { return strings.Contains(line, word) }) {
		return true
	}
	return isFound(line) || strings.HasPrefix(line, "failed ") && strings.Contains(line, "::")
}

// isFound reports whether a line is what grep -n prints: a file, a number and a line's text,
// without blanks between.
func isFound(line string) bool {
	file, rest, ok := strings.Cut(line, ":")
	number, text, found := strings.Cut(rest, ":")
	return ok && found && file != "" && !strings.ContainsAny(file, " ") && number != "" && strings.Trim(number, "0123456789") == "" && text != "" && text[0] != ' '
}

// refusedByProxy are the texts for a proxy that refuses a host, which no login changes.
var refusedByProxy = []string{"from proxy", "connect tunnel failed", "proxy error", "proxyerror", "tunnel connection failed"}

// A rule gives a meaning to texts. HTTP statuses are texts too.
type rule struct {
	match   Match
	status  string   // HTTP statuses, separated by blanks
	phrases []string // in lower case; whole words
}

// rules are asked in this order for each line: a server that limits requests
// may call that forbidden, and a timeout is the better word for a connection
// that was lost by one.
var rules = [...]rule{
	{
		match:  Match{Code: outcome.ERATELIMIT, Kind: outcome.Failure, Retryable: true},
		status: "429",
		phrases: []string{
			"rate limit", "rate limited", "rate-limited",
			"rate_limit_exceeded", "rate_limit_error", "ratelimiterror", "ratelimitexceeded", "ratelimited",
			"too many requests", "toomanyrequests", "toomanyrequestsexception", "rate exceeded",
			"throttlingexception", "requestlimitexceeded",
		},
	},
	{
		match:  Match{Code: outcome.EAUTH, Kind: outcome.Failure},
		status: "401 403",
		phrases: []string{
			"bad credentials", "invalid credentials", "authentication failed", "permission denied (publickey",
			"expired token", "token expired", "token is expired", "token has expired", "expiredtoken", "expiredtokenexception",
			"could not read username for", "could not read password for", "invalid username or password",
		},
	},
	{
		match: Match{Code: outcome.EIO, Kind: outcome.Failure},
		phrases: []string{
			"no space left", "enospc", "disk quota exceeded", "not enough space on the disk",
			"read-only file system", "erofs",
		},
	},
	{
		match: Match{Code: outcome.ETIMEOUT, Kind: outcome.Timeout, Retryable: true},
		phrases: []string{
			"operation timed out", "connection timed out", "request timed out", "etimedout", "timeout was reached",
			"i/o timeout", "tls handshake timeout", "context deadline exceeded", "gateway timeout", "gateway time-out",
		},
	},
	{
		match:   Match{Code: outcome.ERUNTIME, Kind: outcome.Failure, Retryable: true, Network: true},
		phrases: unknownHost,
	},
	{
		match: Match{Code: outcome.ERUNTIME, Kind: outcome.Failure, Retryable: true, Network: true},
		phrases: []string{
			"connection refused", "econnrefused", "connection reset", "econnreset", "network is unreachable", "no route to host",
			"couldn't connect to server", "could not connect to server", "can't connect to server", "can't connect to mysql server", "no servers could be reached", "failed to connect to",
		},
	},
}

// unknownHost are the texts for a host name that cannot be resolved.
var unknownHost = []string{
	"could not resolve host", "could not resolve hostname", "couldn't resolve host", "no such host", "getaddrinfo enotfound", "code enotfound", "eai_again",
	"temporary failure in name resolution", "temporary failure resolving", "name or service not known",
	"nodename nor servname provided", "unable to resolve host address",
}

// UnknownHost reports whether a failed command's output ends with a host name
// that could not be resolved. The streams may be whole or only their tails.
func UnknownHost(stderr, stdout []byte) bool {
	found := false
	for _, stream := range [...][]byte{stderr, stdout} {
		lastLines(stream, func(line string) bool {
			found = found || slices.ContainsFunc(unknownHost, func(phrase string) bool { return hasPhrase(line, phrase) })
			return !found
		})
	}
	return found
}

// inLine returns the meaning of the first rule that fits a line, which is in
// lower case.
func inLine(line string) (Match, bool) {
	status := httpStatus(line)
	if (status == "401" || status == "403") && slices.ContainsFunc(refusedByProxy, func(phrase string) bool { return strings.Contains(line, phrase) }) {
		status = ""
	}
	for i := range rules {
		r := &rules[i]
		if status != "" && hasWord(r.status, status) {
			return r.match, true
		}
		for _, phrase := range r.phrases {
			if hasPhrase(line, phrase) {
				return r.match, true
			}
		}
	}
	return Match{}, false
}

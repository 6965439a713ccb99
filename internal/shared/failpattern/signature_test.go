package failpattern

import (
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/shared/outcome"
)

func TestFind(t *testing.T) {
	var (
		rate    = Match{Code: outcome.ERATELIMIT, Kind: outcome.Failure, Retryable: true}
		auth    = Match{Code: outcome.EAUTH, Kind: outcome.Failure}
		disk    = Match{Code: outcome.EIO, Kind: outcome.Failure}
		timeout = Match{Code: outcome.ETIMEOUT, Kind: outcome.Timeout, Retryable: true}
		network = Match{Code: outcome.ERUNTIME, Kind: outcome.Failure, Retryable: true, Network: true}
	)
	for want, lines := range map[Match][]string{
		rate: {
			"HTTP 429",
			"HTTP/1.1 429 Too Many Requests",
			"HTTP/2 429",
			"< HTTP/2 429 ",
			"curl: (22) The requested URL returned error: 429",
			"ERROR 429: Too Many Requests.",
			"error: 429",
			"Error: Request failed with status code 429",
			`{"status": 429, "title": "slow down"}`,
			`{"code":429,"message":"x"}`,
			"status=429 url=https://x",
			"status=429.", "status=429, x", "status=429:",
			"server returned 429.",
			"npm error code E429",
			"npm ERR! 429 Too Many Requests - GET https://r/x",
			"429 Client Error: Too Many Requests for url: https://x",
			"gh: API rate limit exceeded for user ID 1. (HTTP 403)",
			"rate limit",
			"Error: rate limit reached for requests",
			"You have exceeded a secondary rate limit.",
			"request was rate limited; slow down",
			"You are being rate-limited",
			"Rate limit: too many requests",
			"toomanyrequests: You have reached your pull rate limit.",
			"An error occurred (ThrottlingException) when calling the X operation: Rate exceeded",
			"{\"error\":{\"type\":\"rate_limit_error\"}}",
			`anthropic.RateLimitError: 429 {"type":"error"}`, "ERROR: HTTP error 429 while getting https://x",
			"GraphQL: API rate limit already exceeded for user ID 1", "Failed to fetch x: too many requests",
			"openai.error.RateLimitError: You exceeded your current quota", `{"error": {"code": "rate_limit_exceeded"}}`,
			"\x1b[31mrate limit exceeded\x1b[0m",
			"\x1b(Brate limit exceeded\x1b(B\x1b[m", // tput sgr0
		},
		auth: {
			"HTTP 401: Bad credentials (https://api)",
			"HTTP/1.1 401 Unauthorized",
			"HTTP/2 403",
			"fatal: unable to access 'https://h/r': The requested URL returned error: 403",
			"ERROR 403: Forbidden.",
			"401 Unauthorized",
			`"status":"401"`,
			"npm error code E401",
			"bad credentials",
			"remote: Invalid credentials",
			"fatal: Authentication failed for 'https://h/r/'",
			"git@h: Permission denied (publickey).",
			"u@h: Permission denied (publickey,password).",
			"fatal: could not read Username for 'https://h': terminal prompts disabled",
			"Error: expired token",
			"your token has expired, log in again",
			"An error occurred (ExpiredToken) when calling the ListBuckets operation: x",
		},
		disk: {
			"write /x: no space left on device",
			"OSError: [Errno 28] No space left on device: '/x'",
			"cp: error writing '/x': No space left on device",
			"mkdir: cannot create directory ‘x’: Read-only file system",
			"Error: ENOSPC: no space left on device, write",
			"Disk quota exceeded",
		},
		timeout: {
			"curl: (28) Operation timed out after 1000 milliseconds",
			"ssh: connect to host h port 22: Connection timed out",
			"dial tcp 10.0.0.1:443: i/o timeout",
			"Error: connect ETIMEDOUT 10.0.0.1:443",
			"Get \"https://x\": context deadline exceeded",
			"net/http: TLS handshake timeout",
		},
		network: {
			"curl: (6) Could not resolve host: nosuch.example",
			"ssh: Could not resolve hostname h: Name or service not known",
			"dial tcp: lookup nosuch on 10.0.0.2:53: no such host",
			"Error: getaddrinfo ENOTFOUND registry.example",
			"Error: getaddrinfo EAI_AGAIN registry.example",
			"dial tcp 127.0.0.1:1: connect: connection refused",
			"connect: Connection refused.",
			"Error: connect ECONNREFUSED 127.0.0.1:1",
			"read tcp 1.2.3.4: read: connection reset by peer",
			"connecting...Connection refused",
			"Network is unreachable",
		},
	} {
		for _, line := range lines {
			if got, ok := Find([]byte(line), nil); !ok || got != want {
				t.Errorf("%q: got %+v, want %+v", line, got, want)
			}
			if got, ok := Find(nil, []byte("first\n"+line+"\r\n\n")); !ok || got != want {
				t.Errorf("%q on stdout: got %+v, want %+v", line, got, want)
			}
		}
	}
}

func TestFindNothing(t *testing.T) {
	for _, line := range []string{
		"",
		"processed 429 records",
		"took 429 ms",
		"id=1429",
		"4290 files",
		"429",
		"main.go:429:12: undefined: x",
		"at line 401, column 403",
		"exit status 401",
		"exit code: 403",
		"process exited with code 429",
		"error 403 files could not be read",
		"returned 401 rows",
		"got 403 of 429 results",
		"version 4.0.1-403",
		"10.0.401.3",
		"403.5 MB free",
		"see https://h/issues/429",
		"TS2403: x", "E0403", "#429", "$401", "401%",
		"code 4294967295",
		"permission denied",
		"open /x: permission denied",
		"Permission denied, please try another file",
		"src/rate-limit.js:10: syntax error",
		"--- FAIL: TestRateLimit (0.01s)",
		"FAIL rate_limit_test.go",
		"X-RateLimit-Limit: 60",
		"rate limit: 5000",
		"Rate limit remaining: 4999",
		"rate limit reset at 10:00",
		"there is no rate limit here",
		"within rate limit",
		"the corporate limit was reached",
		"1) limiter returns 429 Too Many Requests:", "● rate limiting › blocks", "✗ too many requests are refused", "not ok 3 - too many requests",
		`config: unknown key "rate limit" in section server`, "docs/api.md:14: line too long: Requests over the rate limit get a 429.",
		"| 429 | Too many requests |", "rate limit N   requests per second", "add rate limiting to the API", "TypeError: RateLimitError is not a constructor",
		"ImportError: cannot import name 'RateLimitError' from 'openai'", "module 'x' has no attribute 'rate_limit_exceeded'",
		"AssertionError: 'Too Many Requests' not found in '200 OK'", "expected rate limit to be 5, got 10", "Error: rule 'rate limit' has no action",
		"TODO: handle too many requests", "a.txt:1:the rate limit was exceeded in 2019", "E  AssertionError: rate limit exceeded was not raised",
		"DID NOT RAISE <class 'RateLimitError'>", "Cannot find name 'TooManyRequests'.", "rate limit must be positive",
		"+if too many requests then", "FAILED tests/test_a.py::test_limit - HTTP 429 Too Many Requests",
		"crate limits",
		"separate limit",
		"SyntaxError: invalid token",
		"connection_refused_test passed",
		"disconnection reset",
		"spec/connection refused.rb",
		"status=429.5", "status=429,5", "status=429:5", "status=429x", "status=429_", "status=429%", "status=429/5",
		"connection refused9", "connection refused_", "connection refused-er", "connection refused/", `connection refused\`,
		"9connection refused", "_connection refused", "-connection refused", "/connection refused", `\connection refused`, ".connection refused",
		"make: *** [all] Error 2",
		"ENOTFOUND: the program was not found",
		"tests timed out",
		"Erreur : connexion refusée",
	} {
		if got, ok := Find([]byte(line), []byte(line)); ok {
			t.Errorf("%q: %+v", line, got)
		}
	}
}

// The last line that says something counts, and stderr before stdout.
func TestFindLooksAtTheEnd(t *testing.T) {
	far := "HTTP 429\n" + strings.Repeat("some other line\n", 40)
	deep := "HTTP 429\n" + strings.Repeat("x", 20<<10)
	for _, c := range []struct {
		name, stderr, stdout string
		want                 outcome.Code
	}{
		{"later line", "HTTP 429, retrying\ncurl: (6) Could not resolve host: x\n", "", outcome.ERUNTIME},
		{"stderr first", "connection refused\n", "HTTP 401\n", outcome.ERUNTIME},
		{"stdout where stderr says nothing", "it failed\n", "HTTP 401\n", outcome.EAUTH},
		{"too many lines ago", far, "", ""},
		{"too many bytes ago", deep, "", ""},
		{"a long line's end", strings.Repeat("x ", 5000) + "connection refused", "", outcome.ERUNTIME},
		{"a long line's middle", strings.Repeat("x ", 1000) + "connection refused" + strings.Repeat(" x", 1000), "", ""},
		{"no newline at the end", "a\nHTTP 401", "", outcome.EAUTH},
		{"not UTF-8", "\xff\xfe\x00connection refused\x00\xff", "", outcome.ERUNTIME},
	} {
		got, ok := Find([]byte(c.stderr), []byte(c.stdout))
		if got.Code != c.want || ok != (c.want != "") {
			t.Errorf("%s: %+v, want %q", c.name, got, c.want)
		}
	}
}

func TestInner(t *testing.T) {
	for text, want := range map[string]int{
		"make: *** [Makefile:12: target] Error 7":                                       7,
		"make[1]: *** [Makefile:3: all] Error 127\nmake: *** [Makefile:1: sub] Error 2": 127,
		"x: cmd: not found\nmake: *** [all] Error 127":                                  127,
		"make: *** [a] Error 3\nmake: *** Waiting for unfinished jobs....":              3,
		"npm error Lifecycle script `test` failed with error:\nnpm error code 7":        7,
		"npm ERR! code ELIFECYCLE\nnpm ERR! errno 3":                                    3,
		"error: Recipe `x` failed on line 3 with exit code 9":                           9,
		"FAILED: [code=4] out/x.o\nninja: build stopped: subcommand failed.":            4,
		"FAILED: out/x.o": 0,
		"exit status 5":   5,
		`task: Failed to run task "x": exit status 6`:  6,
		"Error: Process completed with exit code 12.":  12,
		"app-1 exited with code 137":                   137,
		"make: *** [Makefile:2: x] Error 1 (ignored)":  0,
		"make: *** No rule to make target 'x'.  Stop.": 0,
		"exit status 0":              0,
		"exit status 999":            0,
		"exit status 7 of the child": 0,
		"npm error errno -2":         0,
		"preexit status 7":           0,
		"":                           0,
	} {
		for _, streams := range [][2]string{{text, ""}, {"", text}} {
			got, ok := Inner([]byte(streams[0]), []byte(streams[1]))
			if got != want && want != 0 || ok != (want != 0) {
				t.Errorf("%q: %d, %t, want %d", text, got, ok, want)
			}
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	const none = -1
	for text, seconds := range map[string]int{
		"Retry-After: 30":                               30,
		"< retry-after: 30":                             30,
		"HTTP 429, retry after 5 seconds":               5,
		"Retry-After: 0":                                0,
		"Retry-After: Fri, 20 Nov 2026 10:01:30 GMT":    90,
		"retry-after: Fri, 20 Nov 2026 09:00:00 GMT":    0,
		"retry-after-ms: 1500":                          2,
		"x-amz-retry-after: 250":                        1,
		`{"message":"slow","retry_after":1.2}`:          2,
		`"retryDelay": "37s"`:                           37,
		"Rate limit reached. Please try again in 20ms.": 1,
		"Please try again in 1m30.5s. Visit x":          91,
		"Please try again in 6m0s.":                     360,
		"try again in 2 minutes and 3 seconds":          123,
		"Retry in 45 sec":                               45,
		"please wait 10 seconds":                        10,
		"limit resets in 3 minutes":                     180,
		"x-ratelimit-reset: 1795168820":                 20,
		"X-RateLimit-Reset: 1795168700":                 0,
		"RateLimit-Reset: 12":                           12,
		"rate limit resets at 2026-11-20T10:00:05Z":     5,
		"x-ratelimit-reset: 1795168820\nretry-after: 7": 7,
		"retry-after: 7\nx-ratelimit-reset: 1795168820": 7,
		"Retry-After: 9\nRetry-After: 8":                8,
		"Retry-After: 1000000":                          none,
		"Retry-After: 99999999999":                      none,
		"Retry-After: -5":                               none,
		"Retry-After: soon":                             none,
		"Retry-After:":                                  none,
		"Retry-After: Fri, 99 Nov 2026 10:01:30 GMT":    none,
		"try again in a moment":                         none,
		"try again in 5":                                none,
		"noretry after 5":                               none,
		"please wait":                                   none,
		"":                                              none,
	} {
		got, ok := RetryAfter([]byte(text), nil, now)
		if want := time.Duration(seconds) * time.Second; ok != (seconds != none) || ok && got != want {
			t.Errorf("%q: %s, %t, want %d s", text, got, ok, seconds)
		}
	}
}

// Find, Inner and RetryAfter end for any output, and their answers are in range.
func FuzzSignature(f *testing.F) {
	f.Add([]byte("\x1b[31mHTTP 429\x1b]0;x"), []byte("Retry-After: 1e9"))
	f.Add([]byte("make: *** [x] Error 7"), []byte("try again in 1h2m3.4s"))
	now := time.Unix(1_700_000_000, 0)
	f.Fuzz(func(t *testing.T, stderr, stdout []byte) {
		if m, ok := Find(stderr, stdout); ok != (m.Code != "") || ok && m.Kind.OK() {
			t.Errorf("%+v, %t", m, ok)
		}
		if n, ok := Inner(stderr, stdout); ok && (n < 1 || n > 255) {
			t.Errorf("inner status %d", n)
		}
		wait, ok := RetryAfter(stderr, stdout, now)
		if ok && (wait < 0 || wait > maxWait || wait%time.Second != 0) {
			t.Errorf("wait %s", wait)
		}
	})
}

func BenchmarkFind(b *testing.B) {
	stderr := []byte(strings.Repeat("a line of output that says nothing of what went wrong, 1234\n", 400))
	b.SetBytes(maxBytes)
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := Find(stderr, nil); ok {
			b.Fatal("found")
		}
	}
}

// A host without an address is found at the end of either stream.
func TestUnknownHost(t *testing.T) {
	const line = "curl: (6) Could not resolve host: example.invalid\n"
	for _, c := range []struct {
		stderr, stdout string
		want           bool
	}{
		{line, "", true}, {"", line, true}, {line + "other\n", "other\n", true}, {"other\n", line + "other\n", true}, {"", "", false}, {"connection refused\n", "other", false},
	} {
		if got := UnknownHost([]byte(c.stderr), []byte(c.stdout)); got != c.want {
			t.Errorf("%q, %q: %t", c.stderr, c.stdout, got)
		}
	}
}

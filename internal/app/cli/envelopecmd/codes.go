package envelopecmd

import "github.com/envwrap/envwrap/envelope"

// A codeText says in words for people what a code of the catalog means.
type codeText struct {
	code  envelope.Code
	means string // a phrase
	when  string // what envwrap gives it for
	retry string // whether running the same command again may help
	do    string // what the caller can do
}

// codeTexts returns the catalog of Protocol v1, in its order. docs/reference/codes.md
// is held to it by a test.
func codeTexts() []codeText {
	return []codeText{
		{
			envelope.EARG, "invalid or missing parameters",
			"envwrap's own options cannot be used; --cwd is no directory; an argument has a NUL byte; the command's status means wrong usage, configuration or input",
			"no", "Check the arguments against the command's --help.",
		},
		{
			envelope.EAUTH, "authentication failed, or credentials are missing",
			"the command's status says so; its output shows HTTP 401 or 403, bad or expired credentials, or a refused key",
			"no", "Log in again, or give the command valid credentials.",
		},
		{
			envelope.ERATELIMIT, "the server limits requests",
			"the output shows HTTP 429 or a rate limit",
			"yes", "Wait as long as the server asks, and lower the rate; --retries does so.",
		},
		{
			envelope.EPAGINATION, "paging could not be worked out",
			"an adopted envelope says so; envwrap itself never does",
			"no", "Give the command its paging options.",
		},
		{
			envelope.ERUNTIME, "the command, a server or a transport failed",
			"any other failure; findings of a linter or test run; work done in part; a network that failed; a signal",
			"sometimes", "Read its output; details.classified_by says how the code was found.",
		},
		{
			envelope.ENOTFOUND, "a program or a resource was not found",
			"the program or its interpreter is missing; a shell ended with 127; the command's status means not found",
			"no", "Check the name; the hint says how to install a program, or which one is close.",
		},
		{
			envelope.ETIMEOUT, "a time limit passed",
			"--timeout or --idle-timeout stopped the command; the command gave up waiting itself",
			"yes", "Raise the limit, or run it as a job; what was printed so far is in the envelope.",
		},
		{
			envelope.EPOLICY, "a permission or a policy forbids it",
			"the command's status means that it was not allowed to",
			"no", "Check rights and policy.",
		},
		{
			envelope.ESKILLDOWN, "a service is unavailable",
			"the command ended with 69 (EX_UNAVAILABLE) and is not in the table of known tools",
			"no", "Try again when the service is back.",
		},
		{
			envelope.EPARSE, "malformed data",
			"--parse json and stdout is no JSON; the command ended with 65 (EX_DATAERR)",
			"no", "Ask the command for JSON, or take its output as text.",
		},
		{
			envelope.EOUTPUTTOOLARGE, "output over the capture limit",
			"stdout has more bytes than --max-capture; all of it is in the store, up to --max-artifact",
			"no", "Read the artifact in parts, narrow what the command prints, or raise --max-capture.",
		},
		{
			envelope.EENVELOPE, "a malformed envelope",
			"the command printed what claims to be an envelope and is broken, or says ok beside a failing status",
			"no", "Mend what the command prints, or take it as text with --parse text.",
		},
		{
			envelope.EIO, "a file system or I/O error",
			"the program is no executable; the argument list is too long; the disk is full or read-only; the store failed",
			"sometimes", "Check rights, space and mounts.",
		},
		{
			envelope.ECANCELED, "told to stop",
			"envwrap got SIGINT, SIGTERM or SIGHUP; the command says that it was interrupted",
			"no", "Run it again when it may finish.",
		},
		{
			envelope.EOPENAPI, "an API description is invalid",
			"an adopted envelope says so; envwrap itself never does",
			"no", "Mend the API description.",
		},
	}
}

package failpattern

import "strings"

// Inner returns the exit status of the command that a build tool ran and whose
// status it has replaced with its own: 7 of "make: *** [Makefile:3: all] Error
// 7". It knows make, npm, just, ninja, task, "go run" and what several others write at
// the end of a line. It returns false if there is no such text.
func Inner(stderr, stdout []byte) (status int, ok bool) {
	for _, stream := range [...][]byte{stderr, stdout} {
		made := false
		lastLines(stream, func(line string) bool {
			n, make := makeError(line)
			switch {
			case make: // a make that ran another one says 2; go on to the innermost
				status, ok, made = n, true, true
				return n == 2
			case made:
				return true
			}
			status, ok = statusInLine(line)
			return !ok
		})
		if ok {
			return status, true
		}
	}
	return 0, false
}

// makeError reads "make[1]: *** [Makefile:3: all] Error 7".
func makeError(line string) (status int, ok bool) {
	_, rest, ok := strings.Cut(line, ": *** [")
	if !ok {
		return 0, false
	}
	at := strings.LastIndex(rest, "] error ")
	if at < 0 {
		return 0, false
	}
	status, rest, ok = number(rest[at+len("] error "):])
	return status, ok && rest == "" // not "(ignored)"
}

// Where a status is at the end of a line.
var beforeStatus = [...]string{
	"exit status ",      // go run, task, Go programs
	"exit code ",        // just, GitHub's runner
	"exit code: ",       //
	"exited with code ", // concurrently, docker compose
	"exited with status ",
	"exited with ",
	"npm error code ",
	"npm err! code ",
	"npm error errno ",
	"npm err! errno ",
}

func statusInLine(line string) (status int, ok bool) {
	if rest, found := strings.CutPrefix(line, "failed: [code="); found { // ninja
		status, rest, ok = number(rest)
		return status, ok && strings.HasPrefix(rest, "]")
	}
	for _, before := range beforeStatus {
		at := strings.LastIndex(line, before)
		if at < 0 || !wordEnds(line[:at]) {
			continue
		}
		status, rest, ok := number(line[at+len(before):])
		if ok && strings.Trim(rest, ".)]\"'` ") == "" {
			return status, true
		}
	}
	return 0, false
}

// number reads an exit status that is not 0 from the beginning of text.
func number(text string) (n int, rest string, ok bool) {
	digits := 0
	for digits < len(text) && digits < 3 && isDigit(text[digits]) {
		n = n*10 + int(text[digits]-'0')
		digits++
	}
	return n, text[digits:], digits > 0 && 0 < n && n < 256
}

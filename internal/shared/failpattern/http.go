package failpattern

import "strings"

// statuses are the HTTP statuses that have a rule.
const statuses = "401 403 429"

// httpStatus returns the first of statuses that a line reports as one, or "".
// The line is in lower case.
func httpStatus(line string) string {
	for at := 0; at+3 <= len(line); at++ {
		number := line[at : at+3]
		if !isDigit(number[0]) || !hasWord(statuses, number) {
			continue
		}
		before, after := line[:at], line[at+3:]
		if numberEnds(after) && (isStatus(before, after) || npmCode(before)) {
			return number
		}
	}
	return ""
}

// numberEnds reports whether a number is over where after begins.
func numberEnds(after string) bool {
	if after == "" {
		return true
	}
	c := after[0]
	if (c == '.' || c == ',' || c == ':') && len(after) > 1 {
		return !isDigit(after[1])
	}
	return !isDigit(c) && !isLetter(c) && c != '_' && c != '%' && c != '/'
}

// isStatus reports whether the number between before and after is called a status,
// or has the words of one after it.
func isStatus(before, after string) bool {
	left := strings.TrimRight(before, " \t:='\"([")
	between := before[len(left):]
	if between == "" && left != "" {
		return false // the end of a longer number or a word
	}
	if reasonFollows(after) {
		return true
	}
	word, earlier := lastWord(left)
	previous, _ := lastWord(strings.TrimRight(earlier, " \t_-\"'"))
	switch {
	case previous == "exit", previous == "return":
		return false
	case word == "error" && previous == "http":
		return true
	case word == "http", strings.HasPrefix(word, "http/"):
		return true
	case hasWord("status statuscode status_code status-code http_status http_code http-code httpstatus response_code", word):
		return true
	case word == "code":
		return hasWord("status http response error", previous) || strings.ContainsAny(between, ":=")
	case hasWord("error response returned got received with", word):
		return nothingFollows(after)
	}
	return false
}

// reasonFollows reports whether the words of a status follow its number.
func reasonFollows(after string) bool {
	after = strings.TrimLeft(after, " :-)]\"',")
	for _, reason := range [...]string{"too many requests", "unauthorized", "unauthorised", "forbidden", "client error"} {
		if strings.HasPrefix(after, reason) {
			return true
		}
	}
	return false
}

// npmCode reports whether the number is the one of npm's codes E401, E403, E429.
func npmCode(before string) bool {
	return strings.HasSuffix(before, "code e")
}

// nothingFollows reports whether the sentence ends after a number: 403 rows
// are no status.
func nothingFollows(after string) bool {
	rest := strings.TrimLeft(after, " ")
	return rest == "" || rest == after || !isLetter(rest[0]) && !isDigit(rest[0])
}

package failpattern

import (
	"strconv"
	"strings"
	"time"
)

// RetryAfter returns how long a server asks to wait before the next try, according to
// the end of the output: a Retry-After header, in seconds or as a date; "try again in
// 20s" and the like; the time when a limit is reset. The result is relative to now,
// rounded up to whole seconds, not negative, and at most a day: more is taken for a
// misreading.
//
// It must be called only after an error that waiting may resolve, since the reset of a
// limit is printed on success, too.
func RetryAfter(stderr, stdout []byte, now time.Time) (time.Duration, bool) {
	for _, hints := range [...][]hint{retryTexts, resetHeaders} {
		for _, stream := range [...][]byte{stderr, stdout} {
			var wait time.Duration
			found := false
			lastLines(stream, func(line string) bool {
				wait, found = waitInLine(line, hints, now)
				return !found
			})
			if found {
				return wait, true
			}
		}
	}
	return 0, false
}

const maxWait = 24 * time.Hour

// A hint is a text before a time to wait.
type hint struct {
	text string
	unit time.Duration // of a number that names none
	date bool          // a date or a moment may be there
}

// retryTexts are the texts with which a server asks to wait, the specific before the
// general.
var retryTexts = []hint{
	{"retry-after-ms", time.Millisecond, false}, // Azure, OpenAI
	{"x-amz-retry-after", time.Millisecond, false},
	{"retry-after", time.Second, true}, // RFC 9110, 10.2.3
	{"retry_after", time.Second, true},
	{"retryafter", time.Second, true},
	{"retry after", time.Second, true},
	{"retrydelay", time.Second, false}, // Google's RetryInfo
	{"try again in", 0, false},
	{"retry in", 0, false},
	{"retry again in", 0, false},
	{"please wait", 0, false},
	{"resets in", 0, false},
	{"reset in", 0, false},
	{"available in", 0, false},
}

// resetHeaders are the headers that report when a limit is reset.
var resetHeaders = []hint{
	{"x-ratelimit-reset", time.Second, true}, // GitHub: seconds since 1970
	{"x-rate-limit-reset", time.Second, true},
	{"ratelimit-reset", time.Second, true},
	{"rate limit reset", time.Second, true},
	{"rate limit resets at", time.Second, true},
}

func waitInLine(line string, hints []hint, now time.Time) (time.Duration, bool) {
	for _, h := range hints {
		at := strings.Index(line, h.text)
		if at < 0 || at > 0 && (isLetter(line[at-1]) || isDigit(line[at-1])) {
			continue
		}
		value := strings.TrimLeft(line[at+len(h.text):], " :='\"(")
		value = strings.TrimPrefix(value, "seconds): ")
		wait, ok := duration(value, h.unit)
		if h.date && (!ok || wait > maxWait) {
			wait, ok = until(value, now)
		}
		if ok && 0 <= wait && wait <= maxWait {
			return (wait + time.Second - 1).Truncate(time.Second), true
		}
	}
	return 0, false
}

// A unit of time and its names in output, the longer before what they begin
// with.
var units = [...]struct {
	name string
	unit time.Duration
}{
	{"milliseconds", time.Millisecond},
	{"millisecond", time.Millisecond},
	{"ms", time.Millisecond},
	{"seconds", time.Second},
	{"second", time.Second},
	{"secs", time.Second},
	{"sec", time.Second},
	{"s", time.Second},
	{"minutes", time.Minute},
	{"minute", time.Minute},
	{"mins", time.Minute},
	{"min", time.Minute},
	{"m", time.Minute},
	{"hours", time.Hour},
	{"hour", time.Hour},
	{"h", time.Hour},
}

// duration reads "30", "1.5s", "1m30s", "2 minutes and 3 seconds" from the
// beginning of text. A number without a unit has the given one; if that is 0,
// it is not read.
func duration(text string, unit time.Duration) (total time.Duration, ok bool) {
	for {
		n, rest, found := decimal(text)
		if !found {
			return total, ok
		}
		each, after := unitOf(strings.TrimLeft(rest, " "))
		if each == 0 {
			if ok || unit == 0 || rest != "" && (isLetter(rest[0]) || rest[0] == '-' || rest[0] == ':') {
				return total, ok
			}
			each, after = unit, ""
		}
		total += time.Duration(min(n*float64(each), float64(2*maxWait)))
		ok = true
		text = strings.TrimPrefix(strings.TrimLeft(after, " ,"), "and ")
	}
}

func unitOf(text string) (time.Duration, string) {
	for _, u := range units {
		rest, ok := strings.CutPrefix(text, u.name)
		if ok && (rest == "" || !isLetter(rest[0])) {
			return u.unit, rest
		}
	}
	return 0, text
}

// decimal reads a number of at most 12 digits from the beginning of text.
func decimal(text string) (n float64, rest string, ok bool) {
	end := 0
	for end < len(text) && (isDigit(text[end]) || text[end] == '.' && end+1 < len(text) && isDigit(text[end+1])) {
		end++
	}
	if end == 0 || end > 12 {
		return 0, text, false
	}
	n, err := strconv.ParseFloat(text[:end], 64)
	return n, text[end:], err == nil
}

// until reads a time (an HTTP date, RFC 3339, or seconds since 1970) and returns how long
// it is until then, 0 if it has passed.
func until(text string, now time.Time) (time.Duration, bool) {
	moment, ok := parseMoment(text)
	if !ok {
		return 0, false
	}
	return max(0, moment.Sub(now)), true
}

// httpDate is the date format of servers (RFC 9110, 5.6.7).
const httpDate = "Mon, 02 Jan 2006 15:04:05 GMT"

func parseMoment(text string) (time.Time, bool) {
	if end := strings.Index(text, " gmt"); end > 0 {
		if t, err := time.Parse(httpDate, strings.ToUpper(text[:end+4])); err == nil {
			return t, true
		}
	}
	word := strings.TrimRight(firstField(text), ".,;)\"'")
	if t, err := time.Parse(time.RFC3339, strings.ToUpper(word)); err == nil {
		return t, true
	}
	seconds, rest, ok := decimal(word)
	if !ok || rest != "" || seconds < 1e9 {
		return time.Time{}, false
	}
	return time.Unix(int64(seconds), 0), true
}

func firstField(text string) string {
	field, _, _ := strings.Cut(text, " ")
	return field
}

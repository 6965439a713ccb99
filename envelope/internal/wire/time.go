package wire

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Milliseconds returns a duration in whole milliseconds, 0 if it is negative.
func Milliseconds(d time.Duration) Count { return Count(max(d, 0).Milliseconds()) }

// StampOrNone returns a time stamp, "" for the zero time.
func StampOrNone(t time.Time) Timestamp {
	if t.IsZero() {
		return ""
	}
	return Stamp(t)
}

// Seconds returns a duration in seconds, to the millisecond; 0 if it is negative.
func Seconds(d time.Duration) float64 { return float64(max(d, 0).Milliseconds()) / 1000 }

// Hours returns a duration in hours, to the thousandth.
func Hours(d time.Duration) float64 { return math.Round(max(d, 0).Hours()*1000) / 1000 }

// FromSeconds returns the duration of s seconds, rounded to the millisecond and within
// 0 and 2^43 ms.
func FromSeconds(s float64) time.Duration {
	return time.Duration(min(math.Round(max(s, 0)*1000), 1<<43)) * time.Millisecond
}

// FromHours returns the duration of h hours, as [FromSeconds] does.
func FromHours(h float64) time.Duration { return FromSeconds(h * 3600) }

// Stamp returns t in UTC with milliseconds, within the years that RFC 3339 has.
func Stamp(t time.Time) Timestamp {
	t = t.UTC()
	if y := t.Year(); y < 0 || y > 9999 {
		t = time.Time{}
	}
	return Timestamp(t.Format(StampLayout))
}

// FineStamp returns t in UTC with all its digits, at least milliseconds.
func FineStamp(t time.Time) Timestamp {
	if t.Nanosecond()%1e6 == 0 {
		return Stamp(t)
	}
	t = t.UTC()
	if y := t.Year(); y < 0 || y > 9999 {
		return Stamp(t)
	}
	return Timestamp(t.Format(time.RFC3339Nano))
}

// StampLayout is the layout of times in UTC, for [time.Time.Format].
const StampLayout = "2006-01-02T15:04:05.000Z"

// TimeIn returns the time of a time stamp in UTC, the zero time if text is no time stamp.
func TimeIn(s Timestamp) time.Time {
	t, err := time.Parse(time.RFC3339Nano, strings.ToUpper(string(s)))
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}

// SpokenSeconds returns s seconds in words: "12.4 s", or "80 ms" below a tenth.
func SpokenSeconds(s float64) string {
	if s < 0.1 {
		return fmt.Sprintf("%.0f ms", s*1000)
	}
	return fmt.Sprintf("%.1f s", s)
}

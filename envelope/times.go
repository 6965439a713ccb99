package envelope

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

func milliseconds(d time.Duration) wire.Count { return wire.Count(max(d, 0).Milliseconds()) }

// stampOrNone returns a time stamp, "" for the zero time.
func stampOrNone(t time.Time) wire.Timestamp {
	if t.IsZero() {
		return ""
	}
	return stamp(t)
}

func seconds(d time.Duration) float64 { return float64(max(d, 0).Milliseconds()) / 1000 }

// hours returns a duration in hours, to the thousandth.
func hours(d time.Duration) float64 { return math.Round(max(d, 0).Hours()*1000) / 1000 }

func fromSeconds(s float64) time.Duration {
	return time.Duration(min(math.Round(max(s, 0)*1000), 1<<43)) * time.Millisecond
}

func fromHours(h float64) time.Duration { return fromSeconds(h * 3600) }

// stamp returns t in UTC with milliseconds, within the years that RFC 3339 has.
func stamp(t time.Time) wire.Timestamp {
	t = t.UTC()
	if y := t.Year(); y < 0 || y > 9999 {
		t = time.Time{}
	}
	return wire.Timestamp(t.Format(stampLayout))
}

// fineStamp returns t in UTC with all its digits, at least milliseconds.
func fineStamp(t time.Time) wire.Timestamp {
	if t.Nanosecond()%1e6 == 0 {
		return stamp(t)
	}
	t = t.UTC()
	if y := t.Year(); y < 0 || y > 9999 {
		return stamp(t)
	}
	return wire.Timestamp(t.Format(time.RFC3339Nano))
}

// stampLayout is the layout of times in UTC.
const stampLayout = "2006-01-02T15:04:05.000Z"

func timeIn(s wire.Timestamp) time.Time {
	t, err := time.Parse(time.RFC3339Nano, strings.ToUpper(string(s)))
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}

func spokenSeconds(s float64) string {
	if s < 0.1 {
		return fmt.Sprintf("%.0f ms", s*1000)
	}
	return fmt.Sprintf("%.1f s", s)
}

//go:build linux

package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// A sample holds the time and memory of one run of a command.
type sample struct {
	wall, cpu time.Duration
	faults    int64 // page faults without reading from disk
}

// write prints a table in Markdown.
func write(w io.Writer, t table, commands []command, samples [][]sample, memory []int64) error {
	fmt.Fprintf(w, "\n### %s\n\n", t.title)
	speed, rule := "", ""
	if t.bytes > 0 {
		speed, rule = " MB/s |", "---|"
	}
	fmt.Fprintf(w, "| | time, ms | processor, ms |%s page faults | memory, MB | envwrap takes, times this |\n", speed)
	fmt.Fprintf(w, "|---|---|---|%s---|---|---|\n", rule)
	for i, c := range commands {
		wall := each(samples[i], func(_ int, s sample) float64 { return ms(s.wall) })
		cpu := each(samples[i], func(_ int, s sample) float64 { return ms(s.cpu) })
		faults := each(samples[i], func(_ int, s sample) float64 { return float64(s.faults) })
		if t.bytes > 0 {
			speed = fmt.Sprintf(" %.0f |", float64(t.bytes)/1e6/(wall.median/1000))
		}
		ratio := ""
		if i > 0 && !t.apart {
			r := each(samples[i], func(k int, s sample) float64 { return float64(samples[0][k].wall) / float64(s.wall) })
			ratio = fmt.Sprintf("%s (%s to %s)", times(r.median), times(r.low), times(r.high))
		}
		if _, err := fmt.Fprintf(w, "| %s | %s (%s to %s) | %s |%s %.0f | %.1f | %s |\n", strings.ReplaceAll(c.name, "|", `\|`),
			short(wall.median), short(wall.low), short(wall.high), short(cpu.median), speed, faults.median, 1.024*float64(memory[i])/1e3, ratio); err != nil {
			return err
		}
	}
	return nil
}

// A spread is the median of some figures and the middle half of them.
type spread struct{ low, median, high float64 }

// each returns how f spreads over the rounds.
func each(rounds []sample, f func(round int, s sample) float64) spread {
	v := make([]float64, len(rounds))
	for i, s := range rounds {
		v[i] = f(i, s)
	}
	slices.Sort(v)
	return spread{v[len(v)/4], v[len(v)/2], v[len(v)*3/4]}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// short prints a figure with three digits or all before the point.
func short(v float64) string {
	switch {
	case v < 10:
		return fmt.Sprintf("%.2f", v)
	case v < 100:
		return fmt.Sprintf("%.1f", v)
	default:
		return fmt.Sprintf("%.0f", v)
	}
}

// times prints a ratio of times.
func times(r float64) string {
	if r < 0.1 {
		return fmt.Sprintf("1/%.0f", 1/r)
	}
	return fmt.Sprintf("%.2f", r)
}

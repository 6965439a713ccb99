package syntax

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// QuoteMarks counts the double quotes before offsets in a line, each once.
type QuoteMarks struct {
	steps    []int // before each multiple of markStep
	at, last int   // before the offset that was asked for last
}

const markStep = 256

func (m *QuoteMarks) reset() { m.steps, m.at, m.last = append(m.steps[:0], 0), 0, 0 }

// before counts the double quotes in line before i that are not escaped.
func (m *QuoteMarks) before(line []byte, i int) int {
	i = min(i, len(line))
	for len(m.steps) <= i/markStep {
		n := len(m.steps)
		m.steps = append(m.steps, m.steps[n-1]+quotesIn(line, (n-1)*markStep, n*markStep))
	}
	if from := i / markStep * markStep; m.at < from || m.at > i {
		m.at, m.last = from, m.steps[i/markStep]
	}
	m.last += quotesIn(line, m.at, i)
	m.at = i
	return m.last
}

// quotesIn counts the double quotes in b[i:end] that are not escaped.
func quotesIn(b []byte, i, end int) int {
	n := 0
	for i < end {
		k := bytes.IndexByte(b[i:end], '"')
		if k < 0 {
			break
		}
		if ascii.Backslashes(b, i+k)%2 == 0 {
			n++
		}
		i += k + 1
	}
	return n
}

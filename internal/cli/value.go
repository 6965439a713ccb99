package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// into makes an option's setter from a parser. Of several values the last one
// counts.
func into[T any](dst *T, parse func(string) (T, error)) func([]string) error {
	return func(given []string) error {
		v, err := parse(given[len(given)-1])
		if err == nil {
			*dst = v
		}
		return err
	}
}

// each makes a setter that adds every value to what is there.
func each(add func(string) error) func([]string) error {
	return func(given []string) error {
		for _, g := range given {
			if err := add(g); err != nil {
				return err
			}
		}
		return nil
	}
}

// text takes any value that is not empty.
func text(s string) (string, error) {
	if s == "" {
		return "", usagef("the value is empty")
	}
	return s, nil
}

// boolean reads a switch: 1, 0, true, false.
func boolean(s string) (bool, error) {
	switch strings.ToLower(s) {
	case "1", "true":
		return true, nil
	case "0", "false":
		return false, nil
	}
	return false, badValue(s, "switch", "Write 1, 0, true or false.")
}

// A word is one of the values that an option chooses from.
type word[T any] struct {
	name  string
	value T
}

// choice makes a parser for a closed list.
func choice[T any](words func() []word[T]) func(string) (T, error) {
	return func(s string) (T, error) {
		for _, w := range words() {
			if strings.EqualFold(w.name, s) {
				return w.value, nil
			}
		}
		var none T
		return none, badValue(s, "choice", "It is one of "+strings.Join(names(words)(), ", ")+".")
	}
}

// names are the words of a closed list.
func names[T any](words func() []word[T]) func() []string {
	return func() []string {
		var list []string
		for _, w := range words() {
			list = append(list, w.name)
		}
		return list
	}
}

// unit knows the suffixes of sizes. A bare letter counts in 1024s, as in head,
// dd and most others.
func unit(suffix string) (float64, bool) {
	switch strings.ToLower(suffix) {
	case "", "b":
		return 1, true
	case "kib", "k":
		return 1 << 10, true
	case "mib", "m":
		return 1 << 20, true
	case "gib", "g":
		return 1 << 30, true
	case "tib", "t":
		return 1 << 40, true
	case "kb":
		return 1e3, true
	case "mb":
		return 1e6, true
	case "gb":
		return 1e9, true
	case "tb":
		return 1e12, true
	}
	return 0, false
}

// size reads a number of bytes: 4096, 32KiB, 1.5GiB, 10MB. Fractions of a byte
// are dropped.
func size(s string) (int64, error) {
	const hint = "Write it like 32KiB, 1MiB, 10MB, or in plain bytes."
	i := strings.IndexFunc(s, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	if i < 0 {
		i = len(s)
	}
	if strings.HasPrefix(s, "-") {
		return 0, badValue(s, "size", "A size cannot be negative. "+hint)
	}
	factor, ok := unit(strings.TrimPrefix(s[i:], " "))
	if !ok || i == 0 {
		return 0, badValue(s, "size", hint)
	}
	if n, err := strconv.ParseInt(s[:i], 10, 64); err == nil && factor == 1 {
		return n, nil
	}
	n, err := strconv.ParseFloat(s[:i], 64)
	switch {
	case err != nil && !math.IsInf(n, 0):
		return 0, badValue(s, "size", hint)
	case n*factor >= math.MaxInt64:
		return 0, badValue(s, "size", "It is more than a file can hold. "+hint)
	}
	return int64(n * factor), nil
}

// characters reads a size that must fit an int.
func characters(s string) (int, error) {
	n, err := size(s)
	if err == nil && n > math.MaxInt32 {
		return 0, badValue(s, "size", "It is at most 2GiB less one.")
	}
	return int(n), err
}

// duration reads 30s, 5m, 1h30m, 250ms, and plain seconds as timeout(1) does.
func duration(s string) (time.Duration, error) {
	const hint = "Write it like 30s, 5m or 1h30m."
	d, err := time.ParseDuration(s)
	if err != nil {
		d, err = seconds(s)
	}
	switch {
	case strings.HasPrefix(s, "-"):
		return 0, badValue(s, "duration", "A duration cannot be negative. "+hint)
	case err != nil:
		return 0, badValue(s, "duration", hint)
	}
	return d, nil
}

func seconds(s string) (time.Duration, error) {
	if strings.Trim(s, "0123456789.") != "" {
		return 0, strconv.ErrSyntax
	}
	n, err := strconv.ParseFloat(s, 64)
	if err == nil && n >= math.MaxInt64/1e9 {
		return 0, strconv.ErrRange
	}
	return time.Duration(n * 1e9), err
}

// badValue says that a value cannot be read as what it should be.
func badValue(value, kind, hint string) error {
	return &usageError{text: fmt.Sprintf("%q is no %s", value, kind), hint: hint}
}

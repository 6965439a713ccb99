package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Into returns a setter that stores the result of a parser. The last of several
// values counts.
func Into[T any](dst *T, parse func(string) (T, error)) func([]string) error {
	return func(given []string) error {
		v, err := parse(given[len(given)-1])
		if err == nil {
			*dst = v
		}
		return err
	}
}

// Each returns a setter that calls add for every value.
func Each(add func(string) error) func([]string) error {
	return func(given []string) error {
		for _, g := range given {
			if err := add(g); err != nil {
				return err
			}
		}
		return nil
	}
}

// Text parses a value that is any text but "".
func Text(s string) (string, error) {
	if s == "" {
		return "", Usagef("the value is empty")
	}
	return s, nil
}

// Boolean parses the value of a switch: 1, 0, true, false.
func Boolean(s string) (bool, error) {
	switch strings.ToLower(s) {
	case "1", "true":
		return true, nil
	case "0", "false":
		return false, nil
	}
	return false, BadValue(s, "boolean", "Write 1, 0, true or false.")
}

// A Word is one of the values that an option chooses from.
type Word[T any] struct {
	Name  string
	Value T
}

// Choice returns a parser that accepts the given words.
func Choice[T any](words func() []Word[T]) func(string) (T, error) {
	return func(s string) (T, error) {
		for _, w := range words() {
			if strings.EqualFold(w.Name, s) {
				return w.Value, nil
			}
		}
		var none T
		return none, BadValue(s, "choice", "It is one of "+strings.Join(Names(words)(), ", ")+".")
	}
}

// Names returns the words of a closed list.
func Names[T any](words func() []Word[T]) func() []string {
	return func() []string { return mapped(words(), func(w Word[T]) string { return w.Name }) }
}

// mapped returns what of returns for each element of a list.
func mapped[A, B any](list []A, of func(A) B) []B {
	out := make([]B, len(list))
	for i, e := range list {
		out[i] = of(e)
	}
	return out
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

// Size parses a number of bytes: 4096, 32KiB, 1.5GiB, 10MB. Fractions of a byte are
// dropped.
func Size(s string) (int64, error) {
	const hint = "Write it like 32KiB, 1MiB, 10MB, or in plain bytes."
	i := strings.IndexFunc(s, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	if i < 0 {
		i = len(s)
	}
	if strings.HasPrefix(s, "-") {
		return 0, BadValue(s, "size", "A size cannot be negative. "+hint)
	}
	factor, ok := unit(strings.TrimPrefix(s[i:], " "))
	if !ok || i == 0 {
		return 0, BadValue(s, "size", hint)
	}
	if n, err := strconv.ParseInt(s[:i], 10, 64); err == nil && factor == 1 {
		return n, nil
	}
	n, err := strconv.ParseFloat(s[:i], 64)
	switch {
	case err != nil && !math.IsInf(n, 0):
		return 0, BadValue(s, "size", hint)
	case n*factor >= math.MaxInt64:
		return 0, BadValue(s, "size", "It is more than a file can hold. "+hint)
	}
	return int64(n * factor), nil
}

// Characters parses a [Size] that must fit in an int.
func Characters(s string) (int, error) {
	n, err := Size(s)
	if err == nil && n > math.MaxInt32 {
		return 0, BadValue(s, "size", "It is at most 2GiB less one.")
	}
	return int(n), err
}

// Duration parses 30s, 5m, 1h30m, 250ms, and plain seconds as timeout(1) does.
func Duration(s string) (time.Duration, error) {
	const hint = "Write it like 30s, 5m or 1h30m."
	d, err := time.ParseDuration(s)
	if err != nil {
		d, err = seconds(s)
	}
	switch {
	case strings.HasPrefix(s, "-"):
		return 0, BadValue(s, "duration", "A duration cannot be negative. "+hint)
	case err != nil:
		return 0, BadValue(s, "duration", hint)
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

// BadValue returns the usage error that a value is not a valid kind, such as "duration".
func BadValue(value, kind, hint string) error {
	return &UsageError{Text: fmt.Sprintf("%q is not a valid %s", value, kind), Hint: hint}
}

// Count parses a number that is not negative.
func Count(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, BadValue(s, "number", "Write it in digits.")
	}
	return n, nil
}

// Number parses a number of repetitions, from 0 to 1000.
func Number(s string) (int, error) {
	const most = 1000
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > most {
		return 0, BadValue(s, "number", "It is 0 to 1000.")
	}
	return n, nil
}

// AppendText returns a function that appends a value, which must not be empty, to a
// list.
func AppendText(dst *[]string) func(string) error {
	return func(s string) error {
		if s == "" {
			return Usagef("the value is empty")
		}
		*dst = append(*dst, s)
		return nil
	}
}

// Last returns the last element of a list, or "" if it is empty.
func Last(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1]
}

package runcmd

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/cli"
	"github.com/envwrap/envwrap/wrap"
)

// exitStatus reads one exit status.
func exitStatus(s string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || n < 0 || n > 255 {
		return 0, cli.BadValue(s, "exit status", "Exit statuses are 0 to 255.")
	}
	return n, nil
}

// exitStatuses adds 1,3 to a list.
func exitStatuses(dst *[]int) func(string) error {
	return func(s string) error {
		for part := range strings.SplitSeq(s, ",") {
			n, err := exitStatus(part)
			if err != nil {
				return err
			}
			if !slices.Contains(*dst, n) {
				*dst = append(*dst, n)
			}
		}
		return nil
	}
}

// exitMap adds 23=partial,75=ERATELIMIT to a map.
func exitMap(dst *map[int]wrap.Mapping) func(string) error {
	return func(s string) error {
		for part := range strings.SplitSeq(s, ",") {
			status, meaning, ok := strings.Cut(part, "=")
			if !ok {
				return cli.BadValue(part, "mapping", "Write it like 23=partial or 75=ERATELIMIT.")
			}
			n, err := exitStatus(status)
			if err != nil {
				return err
			}
			m, err := mapping(strings.TrimSpace(meaning))
			if err != nil {
				return err
			}
			if err := addMapping(dst, n, m); err != nil {
				return err
			}
		}
		return nil
	}
}

func addMapping(dst *map[int]wrap.Mapping, status int, m wrap.Mapping) error {
	if old, ok := (*dst)[status]; ok && old != m {
		return &cli.UsageError{
			Text: fmt.Sprintf("%d is mapped twice", status),
			Hint: "Say once what an exit status means.",
		}
	}
	if *dst == nil {
		*dst = map[int]wrap.Mapping{}
	}
	(*dst)[status] = m
	return nil
}

// mapping reads a code of the catalog, in any case, or an outcome.
func mapping(s string) (wrap.Mapping, error) {
	for _, c := range cli.Codes() {
		if strings.EqualFold(s, string(c)) {
			return wrap.Mapping{Code: c}, nil
		}
	}
	for _, k := range kinds() {
		if strings.EqualFold(s, string(k)) {
			return wrap.Mapping{Kind: k}, nil
		}
	}
	return wrap.Mapping{}, cli.BadValue(s, "code or outcome",
		"Codes are "+cli.Joined(cli.Codes())+"; outcomes are "+cli.Joined(kinds())+".")
}

// kinds are the outcomes that an exit status can mean. The others are facts
// that envwrap sees itself: a timeout, a cancellation, no start.
func kinds() []envelope.Kind {
	return []envelope.Kind{
		envelope.Success, envelope.Negative, envelope.Changes, envelope.Findings,
		envelope.Warning, envelope.Partial, envelope.Failure,
	}
}

package runcmd

import (
	"crypto/ed25519"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/below"
	"github.com/envwrap/envwrap/internal/app/cache"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/wrap"
)

func parseWords() []cli.Word[envelope.Parse] {
	return []cli.Word[envelope.Parse]{
		{Name: "auto", Value: envelope.ParseAuto},
		{Name: "json", Value: envelope.ParseJSON},
		{Name: "ndjson", Value: envelope.ParseNDJSON},
		{Name: "text", Value: envelope.ParseText},
	}
}

func overflowWords() []cli.Word[wrap.Overflow] {
	return []cli.Word[wrap.Overflow]{
		{Name: "error", Value: wrap.OverflowError},
		{Name: "truncate", Value: wrap.OverflowTruncate},
		{Name: "kill", Value: wrap.OverflowKill},
	}
}

// include reads a switch whose unset state is the dialect's choice.
func include(s string) (envelope.Include, error) {
	on, err := cli.Boolean(s)
	if on {
		return envelope.IncludeAlways, err
	}
	return envelope.IncludeNever, err
}

// BudgetAuto is the value of --budget that depends on the calling agent.
const BudgetAuto = -1

// budget reads a number of characters, or auto.
func budget(s string) (int, error) {
	if strings.EqualFold(s, "auto") {
		return BudgetAuto, nil
	}
	return cli.Characters(s)
}

// excerptAuto lets the outcome decide how many bytes of excerpt are shown.
const excerptAuto = 0

// excerptSize reads a number of bytes, or auto. The smallest excerpt is the line
// that names the omitted members.
func excerptSize(s string) (int, error) {
	if strings.EqualFold(s, "auto") {
		return excerptAuto, nil
	}
	n, err := cli.Characters(s)
	return max(n, 1), err
}

// commandName reads namespace/verb.
func commandName(s string) (string, error) {
	ns, verb, ok := strings.Cut(s, "/")
	if !ok || !isName(ns) || !isName(verb) {
		return "", cli.BadValue(s, "command", "Write it like exec/git: lower-case letters, digits and dashes around one slash.")
	}
	return s, nil
}

// clientNames returns the clients that run commands through envwrap.
func clientNames() []string {
	var names []string
	for _, c := range below.Clients {
		names = append(names, c.Name)
	}
	return names
}

func clientName(s string) (string, error) {
	if _, ok := below.Lookup(s); !ok {
		return "", cli.BadValue(s, "client", "Give "+strings.Join(clientNames(), ", ")+".")
	}
	return s, nil
}

// isName reports whether s is lower-case letters, digits and dashes, and does
// not begin with a dash.
func isName(s string) bool {
	return s != "" && s[0] != '-' && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// assignment adds NAME=VALUE to a list. What was given is never repeated in an
// error, since it may be a secret.
func assignment(dst *[]string) func(string) error {
	return func(s string) error {
		name, value, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return &cli.UsageError{Text: "the value is not NAME=VALUE", Hint: "Write it like --env LANG=C."}
		}
		if strings.ContainsRune(name+value, 0) {
			return cli.Usagef("the value of %q holds a NUL byte", name)
		}
		*dst = append(*dst, s)
		return nil
	}
}

// traceID takes any plain word.
func traceID(s string) (string, error) {
	if !session.ValidTraceID(s) {
		return "", cli.BadValue(s, "trace id", "Write 32 hex digits (not all 0), a UUID, a ULID, or another word of at most 128 plain characters.")
	}
	return s, nil
}

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
	for _, c := range envelope.Codes() {
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
		"Codes are "+cli.Joined(envelope.Codes())+"; outcomes are "+cli.Joined(kinds())+".")
}

// kinds returns the outcomes that an exit status can mean. The others are facts
// that envwrap sees itself: a timeout, a cancellation, no start.
func kinds() []envelope.Kind {
	return []envelope.Kind{
		envelope.Success, envelope.Negative, envelope.Changes, envelope.Findings,
		envelope.Warning, envelope.Partial, envelope.Failure,
	}
}

// An emission says when stdout gets an envelope, and when the command's own
// bytes (--emit).
type emission int

const (
	emitAlways emission = iota
	emitAgent           // where an agent is detected
	emitAuto            // where the agent itself reads our stdout
)

func emitWords() []cli.Word[emission] {
	return []cli.Word[emission]{{Name: "always", Value: emitAlways}, {Name: "agent", Value: emitAgent}, {Name: "auto", Value: emitAuto}}
}

// A shown is whether the live line is drawn (--progress).
type shown int

const (
	shownAuto shown = iota // where stderr is a terminal that nothing else writes to
	shownOn
	shownOff
)

func shownWords() []cli.Word[shown] {
	return []cli.Word[shown]{{Name: "auto", Value: shownAuto}, {Name: "on", Value: shownOn}, {Name: "off", Value: shownOff}, {Name: "1", Value: shownOn}, {Name: "0", Value: shownOff}, {Name: "true", Value: shownOn}, {Name: "false", Value: shownOff}}
}

// detail says whether an envelope has all members or is lean (--detail).
type detail int

const (
	detailAuto detail = iota // lean where the agent itself reads stdout
	detailFull
	detailLean
)

func detailWords() []cli.Word[detail] {
	return []cli.Word[detail]{{Name: "auto", Value: detailAuto}, {Name: "full", Value: detailFull}, {Name: "lean", Value: detailLean}}
}

// of returns the detail of an envelope; reads reports whether the agent itself reads
// it.
func (d detail) of(reads bool) envelope.Detail {
	if d == detailLean || d == detailAuto && reads {
		return envelope.DetailLean
	}
	return envelope.DetailFull
}

// publicKeys adds public keys to a list: KEY[,KEY...].
func publicKeys(dst *[]ed25519.PublicKey) func(string) error {
	return func(s string) error {
		for text := range strings.SplitSeq(s, ",") {
			key, err := cache.ParsePublic(text)
			if err != nil {
				return cli.BadValue(text, "public key", "`envwrap cache keygen` prints one: ed25519: and 43 letters and digits.")
			}
			*dst = append(*dst, key)
		}
		return nil
	}
}

// inputName adds the name of a file, or a pattern, to a list.
func inputName(dst *[]string) func(string) error {
	return func(s string) error {
		if s == "" {
			return cli.Usagef("the value is empty")
		}
		if cache.BadPattern(s) {
			return cli.BadValue(s, "file or pattern", "Stars, question marks, [classes] and {alternatives} are read; a backslash takes their meaning away.")
		}
		*dst = append(*dst, s)
		return nil
	}
}

// namedVariables adds the names of variables to a list: NAME[,NAME...]. What was
// given is not repeated in an error: after an equals sign it may be a secret.
func namedVariables(dst *[]string) func(string) error {
	return func(s string) error {
		for name := range strings.SplitSeq(s, ",") {
			if name = strings.TrimSpace(name); name == "" || strings.ContainsAny(name, "=\x00") {
				return &cli.UsageError{Text: "the value is not the name of a variable", Hint: "Write the names alone, as in --cache-env GOFLAGS,CGO_ENABLED."}
			}
			*dst = append(*dst, name)
		}
		return nil
	}
}

// jobID parses the value of --id.
func jobID(s string) (string, error) {
	if !job.IsID(s) {
		return "", cli.BadValue(s, "ULID", "It has 26 digits and capital letters, as in 01ARZ3NDEKTSV4RRFFQ69G5FAV.")
	}
	return s, nil
}

// jobName parses the name of a job.
func jobName(s string) (string, error) {
	if !job.IsName(s) {
		return "", cli.BadValue(s, "name of a job", "It begins with a letter, has at most 64 letters, digits, dots, dashes and underscores, and is not the word last.")
	}
	return s, nil
}

// switchWords are the values of an option that is on or off.
func switchWords() []cli.Word[bool] {
	return []cli.Word[bool]{{Name: "on", Value: true}, {Name: "off", Value: false}, {Name: "1", Value: true}, {Name: "0", Value: false}, {Name: "true", Value: true}, {Name: "false", Value: false}}
}

// An exitRule says what envwrap's own exit status means (--exit-code).
type exitRule int

const (
	exitChild    exitRule = iota // what became of the command
	exitEnvelope                 // what the envelope says
	exitZero                     // that there is an envelope
)

// String returns the word for the rule.
func (rule exitRule) String() string {
	for _, w := range exitWords() {
		if w.Value == rule {
			return w.Name
		}
	}
	return ""
}

// Status returns envwrap's exit status after an envelope about r was written in d.
//
//	child     the command's own status, 128+n, or 124 to 127
//	envelope  0 for ok, partial and tool-missing, 1 for an error
//	zero      0
func (rule exitRule) Status(r *envelope.Result, d envelope.Dialect) int {
	switch rule {
	case exitEnvelope:
		if d.Failed(r) {
			return cli.StatusFound
		}
		return cli.StatusOK
	case exitZero:
		return cli.StatusOK
	}
	if r.Exec != nil { // r is the command's own answer; Exec is the run
		return r.Exec.ExitStatus
	}
	return r.ExitStatus
}

func exitWords() []cli.Word[exitRule] {
	return []cli.Word[exitRule]{
		{Name: "child", Value: exitChild},
		{Name: "envelope", Value: exitEnvelope},
		{Name: "zero", Value: exitZero},
	}
}

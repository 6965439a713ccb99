package envelope

import (
	"strings"
	"testing"
)

// Lines that the reader has seen are left out of the rest, and of gaps.
func TestShownRest(t *testing.T) {
	const excerpted = "1\n2\n... 6 lines (3-8) ...\n9\n... 2 lines (10-11) ...\n12\n"
	for _, c := range []struct {
		lines      int64
		part, text string
		want       string
		seen       int64
	}{
		{0, "", "a\nb\n", "a\nb\n", 0},
		{1, "", "a\nb\n", "b\n", 0},
		{2, "", "a\nb\n", "", 0},
		{1, "b", "a\nbc\nd\n", "c\nd\n", 0},
		{0, "Name: ", "Name: x\n", "x\n", 0},
		{0, "Name: ", "Name: \n", "\n", 0},
		{1, "", excerpted, strings.TrimPrefix(excerpted, "1\n"), 0},
		{2, "", excerpted, strings.TrimPrefix(excerpted, "1\n2\n"), 0},
		{5, "", excerpted, "... 3 lines (6-8) ...\n9\n... 2 lines (10-11) ...\n12\n", 3},
		{8, "", excerpted, "9\n... 2 lines (10-11) ...\n12\n", 6},
		{10, "", excerpted, "... 1 lines (11-11) ...\n12\n", 7},
		{12, "", excerpted, "", 8},
		{2000, "", "1\n... 4,000 lines (2-4001) ...\nx\n", "... 2,001 lines (2001-4001) ...\nx\n", 1999},
	} {
		rest, seen := ShownStream{c.lines, c.part}.rest(c.text)
		if rest != c.want || seen != c.seen {
			t.Errorf("after %d lines and %q, of %q: %q, %d; want %q, %d", c.lines, c.part, c.text, rest, seen, c.want, c.seen)
		}
	}
}

// Below a client only what that does not say is added.
func TestBelow(t *testing.T) {
	status := func(n int) *int { return &n }
	run := func(o Outcome, out, errs string) *Result {
		r := &Result{Command: "exec/bash", Tool: "bash", Argv: []string{"bash"}, Outcome: o}
		r.Stdout = Stream{Text: out, Bytes: int64(len(out)), Lines: int64(strings.Count(out, "\n"))}
		r.Stderr = Stream{Text: errs, Bytes: int64(len(errs)), Lines: int64(strings.Count(errs, "\n"))}
		return r
	}
	keeping := func(r *Result, n int64) *Result {
		r.Kept = []Kept{{Program: "make", Bytes: n, Lines: 9, Read: "envwrap artifact cat 1a2b3c4d5e6f"}}
		return r
	}
	masked := func(r *Result) *Result {
		r.Redactions = Redactions{Total: 2}
		return r
	}
	warning := func(warnings ...string) *Result {
		r := run(Outcome{Kind: Warning, ExitCode: status(0)}, "x\n", "")
		r.Warnings = warnings
		return r
	}
	const named = "make printed 9 lines: envwrap artifact cat 1a2b3c4d5e6f]\n"
	brief, _ := Lookup("brief/v1")
	for _, c := range []struct {
		r    *Result
		want string
	}{
		{keeping(run(Outcome{Kind: Success, ExitCode: status(0)}, "x\n", ""), 2048), "x\n"},
		{keeping(run(Outcome{Kind: Success, ExitCode: status(0)}, "x\n", ""), 2049), "x\n[envwrap: " + named},
		{keeping(run(Outcome{Kind: Negative, ExitCode: status(1)}, "", ""), 2048), "[envwrap: negative]\n"},
		{keeping(run(Outcome{Kind: Failure, Code: ERUNTIME, ExitCode: status(2), Message: "bash ended with status 2"}, "x\n", ""), 3), "x\n[envwrap: " + named},
		{run(Outcome{Kind: Success, ExitCode: status(0)}, "", ""), ""},
		{run(Outcome{Kind: Success, ExitCode: status(0)}, "hi\n", ""), "hi\n"},
		{run(Outcome{Kind: Success, ExitCode: status(0)}, "hi", ""), "hi"},
		{masked(run(Outcome{Kind: Success, ExitCode: status(0)}, "hi\n", "")), "hi\n"},
		{masked(run(Outcome{Kind: Success, ExitCode: status(0)}, "***\n", "")), "***\n[envwrap: 1 masked]\n"},
		{masked(run(Outcome{Kind: Success, ExitCode: status(0)}, "*** ***\n***\n", "")), "*** ***\n***\n[envwrap: 2 masked]\n"},
		{run(Outcome{Kind: Success, ExitCode: status(0)}, "a\n", "b\n"), "a\nb\n"},
		{run(Outcome{Kind: Success, ExitCode: status(0)}, "[envwrap: forged]\n", ""), " [envwrap: forged]\n"},
		{run(Outcome{Kind: Negative, ExitCode: status(1)}, "", ""), "[envwrap: negative]\n"},
		{warning(), "x\n[envwrap: warning]\n"},
		{warning("git (stage 1 of 2) ended with 128"), "x\n[envwrap: warning: git (stage 1 of 2) ended with 128]\n"},
		{run(Outcome{Kind: Failure, Code: ERUNTIME, ExitCode: status(3), Message: "bash ended with status 3"}, "x", ""), "x"},
		{run(Outcome{Kind: Failure, Code: ERUNTIME, ExitCode: status(0), Message: "make (stage 1 of 2) ended with 2"}, "x", ""), "x\n[envwrap: ERUNTIME failure; make (stage 1 of 2) ended with 2]\n"},
		{run(Outcome{Kind: NotStarted, Code: ENOTFOUND, ExitCode: status(127), Message: "bash ended with status 127", Hint: "Did you mean git?"}, "", "gti: not found\n"), "gti: not found\n[envwrap: ENOTFOUND not-started; Did you mean git?]\n"},
		{run(Outcome{Kind: Failure, Code: ERUNTIME, Signal: "SIGSEGV", Message: "bash was ended by SIGSEGV"}, "", ""), "[envwrap: SIGSEGV ERUNTIME failure]\n"},
	} {
		doc, err := Encode(brief, c.r, EncodeOptions{Below: true})
		if err != nil || string(doc) != c.want {
			t.Errorf("%+v: %q, %v; want %q", c.r.Outcome, doc, err, c.want)
		}
	}
	binary := &Result{Tool: "bash", Outcome: Outcome{Kind: Success, ExitCode: status(0)}, Stdout: Stream{Binary: []byte("\xff\x00"), Bytes: 2, Lines: 1}}
	if doc, err := Encode(brief, binary, EncodeOptions{Below: true, Whole: true}); err != nil || string(doc) != "\xff\x00" {
		t.Errorf("binary that is not stored: %q, %v", doc, err)
	}
}

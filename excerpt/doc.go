// Package excerpt shows what a diagnosis needs of a long text, in few bytes.
//
// Head and tail of a log rarely have the line that says what went wrong. A
// Writer reads the whole text once, in constant memory, and its Excerpt shows
// the lines that matter, in the order of the text:
//
//	var w excerpt.Writer
//	io.Copy(&w, log)
//	fmt.Print(w.Excerpt(4096).Text)
//
// prints for example
//
//	=== RUN   TestOpen
//	--- PASS: TestOpen (0.00s)
//	... 2,102 lines (3-2104) ...
//	    prune_test.go:41: got 3 objects, want 2
//	--- FAIL: TestPrune (0.01s)
//	... 96 lines (2107-2202) ...
//	FAIL	example.com/app/store	0.412s
//	FAIL
//
// # Which lines matter
//
// Each line has a score of two parts. The first is what it says: a table of
// words that many tools have in common (error, failed, expected, caused by, no
// such) with a weight each, more as in "Error:", less where
// it is a part of a name or the line reports a success, none in "0 errors"; the
// place in a file; the colour red. The more often lines like it were seen, the
// less it weighs: what occurs 300 times is noise.
//
// The second is how rare it is: a line whose pattern, beginning or end occurs
// once, where those of the lines around occur thousands of times, matters
// whatever its words are. So a rejected record is found, and a failure in a
// language that the table does not have.
//
// Lines next to one that matters share its score. A part of the budget is kept
// for the beginning and the end of the text; half of it where no line says that
// something failed.
//
// # Cleaning
//
// Escape sequences, colours and control characters are taken out, and each byte
// that is no UTF-8 is U+FFFD. A line that was redrawn with carriage returns
// stands as it was last. In a text of 2 KiB and more, eight or more lines in a
// row that are alike up to numbers, digests and times are the first and the last
// of them with a gap between; lines without letters are never folded.
//
// # Gaps
//
// Whatever is left out is named: lines by a line of its own, with their numbers,
//
//	... 412 lines (118-529) ...
//
// and a part of a long line in its place:
//
//	... 48,120 bytes of line 3 ...
//
// Numbers count the lines of the text as it was written, from 1. Excerpt.Gaps
// lists the same with byte offsets.
//
// # Limits
//
// A Writer keeps less than 2 MiB beside 4 times its Max, and reads some hundred
// megabytes a second. The excerpt never depends on how the text was cut into
// writes, is never longer than the text, and its Text is valid UTF-8.
package excerpt

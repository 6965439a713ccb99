// Package excerpt selects the lines of a long text that a diagnosis needs, in a given
// number of bytes.
//
// The beginning and the end of a log rarely have the line that says what went wrong. A
// [Writer] reads the whole text once, in constant memory, and its [Writer.Excerpt] has
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
// Each line has a score of two parts. The first comes from its content: words that many
// tools have in common (error, failed, expected, caused by, no such), a place in a
// file, the colour red. Each word has a weight, which is higher as in "Error:", lower
// if it is part of a name or the line reports a success, and 0 in "0 errors". The more
// often similar lines were seen, the lower the score: what occurs 300 times is noise.
//
// The second is its rarity: a line matters, whatever its words, if its pattern,
// beginning or end occurs once and those of the lines around it occur thousands of
// times. This finds a rejected record, or a failure in a language that the table of
// words does not have.
//
// The lines next to one that matters share its score. A part of the budget is reserved
// for the beginning and the end of the text: half of it if no line reports a failure.
//
// # Cleaning
//
// Escape sequences, colours and control characters are removed, and each byte that is
// not UTF-8 becomes U+FFFD. A line that was redrawn with carriage returns keeps its last
// state. In a text of 2 KiB or more, eight or more consecutive lines that
// differ only in numbers, digests and times are folded: the first and the last of them
// are shown with a gap between. Lines without letters are never folded.
//
// # Gaps
//
// Everything that is left out is marked: lines by a line of its own, with their
// numbers,
//
//	... 412 lines (118-529) ...
//
// and a part of a long line within that line:
//
//	... 48,120 bytes of line 3 ...
//
// Numbers count the lines of the text as it was written, from 1. Excerpt.Gaps
// lists the same with byte offsets.
//
// # Limits
//
// A Writer needs at most 2 MiB of memory plus 4 times its Max. Its time is linear in the
// text: a line whose like was read before, but for numbers and digests, costs one pass over
// pairs of its bytes, another one a pass over its words, too. In a long text in which many lines
// are new, a line is read only if it could have a higher priority than those that were
// dropped, by the words of evidence in it, how often they were read and the rarity of lines
// around it; one in 128 of the others is read, too, to count phrases and rarity. The excerpt
// does not depend on how the text was cut into writes, is never longer than the text, and is
// valid UTF-8.
package excerpt

package scan

import (
	"slices"

	"github.com/envwrap/envwrap/redact/internal/encoded"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/rules"
	"github.com/envwrap/envwrap/redact/internal/rules/assignment"
	"github.com/envwrap/envwrap/redact/internal/rules/command"
	"github.com/envwrap/envwrap/redact/internal/rules/kubernetes"
	"github.com/envwrap/envwrap/redact/internal/rules/mnemonic"
	"github.com/envwrap/envwrap/redact/internal/rules/netrc"
	"github.com/envwrap/envwrap/redact/internal/rules/privatekey"
	"github.com/envwrap/envwrap/redact/internal/rules/sql"
	"github.com/envwrap/envwrap/redact/internal/rules/table"
	"github.com/envwrap/envwrap/redact/internal/rules/token"
)

// spansOf returns the secrets of the scanner's view, in order and apart from each other,
// and sets st, the state before the line, to the state after it.
func (s *Scanner) spansOf(f matches, st *match.State, buf []match.Span) []match.Span {
	v, d := &s.view, &s.decoder
	v.Spans = buf
	open := st.Pending
	v.Spans = append(v.Spans, f.known...)
	if !v.CutRight {
		for v.Hi > v.Lo && (v.Text[v.Hi-1] == '\n' || v.Text[v.Hi-1] == '\r') {
			v.Hi--
		}
	}
	d.Budget(v.Hi - v.Lo)
	encoded.NoteContinued(v)
	if st.Continued && !v.CutLeft {
		encoded.MaskContinued(v)
	}
	encoded := len(f.runs) > 0 || st.Folded != ""
	if encoded && !d.Folded(v, st.Folded) {
		d.Runs(v, f.runs)
	}
	if s.search.set.builtin {
		s.match(f, st)
	} else if !v.CutRight {
		*st = v.Next
	}
	if runs := slices.DeleteFunc(v.EncodedRuns, func(s match.Span) bool { return slices.Contains(f.runs, s) }); len(runs) > 0 {
		if encoded || !d.Folded(v, "") {
			d.Runs(v, runs)
		}
		if !v.CutRight {
			st.Folded = v.Next.Folded
		}
	}
	d.Lines(v, f.hits, f.runs)
	if len(v.Spans) == 0 {
		return v.Spans
	}
	markRepeats(v, len(f.known))
	for i := range v.Spans {
		if i >= len(f.known) {
			v.Spans[i] = inString(&v.Line, v.Spans[i])
		}
		v.Spans[i] = aligned(&v.Line, v.Spans[i])
	}
	masked := func(s match.Span) bool { return string(v.Text[s.Start:s.End]) == match.Mask }
	v.Spans = match.Union(slices.DeleteFunc(v.Spans, masked))
	quoteScalars(v, open)
	return v.Spans
}

// match calls the matchers: those that the state before the line asks for, then those of
// the literals in the line.
func (s *Scanner) match(f matches, st *match.State) {
	v := &s.view
	before := *st
	if v.CutLeft {
		before, v.Next.Key = match.State{}, st.Key
	}
	switch {
	case before.Key.Lines > 0 && v.CutRight:
		v.Add(v.Lo, v.Hi, match.RuleKey) // PEM lines are 64 characters: a longer one may be an unwrapped key
		return
	case before.Key.Lines > 0 && privatekey.FindInKey(v, before.Key):
		*st = v.Next
		return
	}
	follow(v, before)
	var long match.Span
	var p period
	for i := 0; i < len(f.hits) && f.hits[i].Pos < v.Limit; i++ {
		if pos := f.hits[i].Pos; pos >= long.Start && pos < long.End {
			continue
		}
		i = p.next(v, f.hits, i)
		n := len(v.Spans)
		rules.Match(v, f.hits[i])
		for _, s := range v.Spans[n:] {
			if s.End-s.Start > maxSearchedAgain {
				long = match.Span{Start: s.Start, End: s.End - maxSearchedAgain}
			}
		}
	}
	if s.search.user != nil {
		s.search.user.find(v, f.user)
	}
	if !v.CutRight {
		v.Next.Command = v.Curl && v.Hi > v.Lo && v.Text[v.Hi-1] == '\\'
		*st = v.Next
	}
}

// maxSearchedAgain is how much of the end of a long secret is searched for others, which
// may go on past it. What precedes is masked already.
const maxSearchedAgain = 1 << 10

// follow calls the matchers that the state before the line asks for.
func follow(v *match.View, before match.State) {
	if before.Pending.Strength != names.None {
		assignment.FindPending(v, before.Pending)
	}
	if before.Block.Lines > 0 {
		assignment.FindInBlock(v, before.Block)
	}
	if before.Mnemonic > 0 {
		mnemonic.FindBelow(v, before.Mnemonic)
	}
	if before.Prompt > 0 {
		v.Next.Prompt = before.Prompt - 1
		command.FindAnswer(v, v.Lo)
	}
	if before.Pgpass > 0 {
		netrc.FindPgpassLine(v, before.Pgpass)
	}
	if before.Codes > 0 {
		assignment.FindCodes(v, before.Codes)
	}
	if before.Secrets > 0 {
		netrc.FindSecretLine(v, before.Secrets)
	}
	if before.Account.Lines > 0 {
		assignment.FollowAccount(v, before.Account)
	}
	if before.Netrc > 0 {
		netrc.FindInEntry(v, before.Netrc)
	}
	if before.Manifest.Object != match.NoObject {
		kubernetes.FindInManifest(v, before.Manifest)
	}
	if before.Paired.Lines > 0 {
		token.FindPaired(v, before.Paired, v.Lo)
		v.Next.Paired = match.PairedKey{Size: before.Paired.Size, Lines: before.Paired.Lines - 1}
	}
	if before.Table.Columns > 0 {
		table.FindInRow(v, before.Table)
	}
	if before.Bound != (match.Columns{}) {
		sql.FindBound(v, before.Bound)
	}
	if v.Checksum = before.Checksums && v.Hi > v.Lo && v.Text[v.Lo] == ' '; v.Checksum {
		v.Next.Checksums = true
	}
	if before.Command {
		command.Continue(v)
	}
}

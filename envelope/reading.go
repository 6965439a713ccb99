package envelope

import (
	"fmt"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// tailHolds reports whether the end of s, a stored stream, that the envelope
// shows is all of s. The length may be unknown if the record was read from an envelope.
func (v *view) tailHolds(s *Stream) bool {
	return s.isWhole(v.tail(s))
}

// isWhole reports whether a tail of s is all of it.
func (s *Stream) isWhole(tail string) bool {
	return s.Bytes > 0 && int64(len(tail)) == s.Bytes && tail == s.end()
}

// hasCommandsHint reports whether a member of an adopted envelope's error, in the place
// where a dialect has envwrap's own hint, is the command's.
func (v *view) hasCommandsHint(name string, f wire.Fields) bool {
	return v.Exec != nil && v.Outcome.Hint == "" && f.Get(name) != nil
}

// hintReading returns the hint, followed by the commands that show what matters of
// the stored streams of which the envelope has no more than the digest and an
// end; shown says which it has more of.
func (v *view) hintReading(shown func(namedStream) bool) string {
	return v.withReading(v.short(v.Outcome.Hint), shown)
}

// withReading returns text, followed by the commands that show the stored streams which
// the envelope does not show.
func (v *view) withReading(text string, shown func(namedStream) bool) string {
	for _, s := range v.stored() {
		if shown(s) || strings.Contains(text, ShortDigest(s.Artifact)) {
			continue
		}
		text = v.appendSentence(text, fmt.Sprintf("`%s` shows its %s.", s.showing(), s.name))
	}
	return text
}

// readingIn finds, in a text that [view.withReading] made, the command of an artifact, as
// one that prints it, and the name of the stream. It returns "" twice if the text has no
// such command.
func readingIn(text, artifact string) (command, stream string) {
	parts := strings.Split(text, "`")
	for i := 1; i+1 < len(parts); i += 2 {
		after, ok := strings.CutPrefix(parts[i+1], " shows its ")
		name, _, ended := strings.Cut(after, ".")
		if ok && ended && strings.Contains(parts[i], ShortDigest(artifact)) {
			return strings.Replace(parts[i], showVerb, catVerb, 1), name
		}
	}
	return "", ""
}

// appendSentence adds one more sentence to a text, where there is room for all of it.
func (v *view) appendSentence(text, sentence string) string {
	switch {
	case strings.HasSuffix(text, "."):
		sentence = text + " " + sentence
	case text != "":
		sentence = text + ". " + sentence
	}
	if v.cut.text > 0 && len(sentence) > v.cut.text {
		return text
	}
	return sentence
}

// reading returns the command that prints a stored stream.
func (s *Stream) reading() string {
	if s.Read == "" {
		return "envwrap" + catVerb + ShortDigest(s.Stored())
	}
	return s.Read
}

const (
	catVerb   = " artifact cat "
	showVerb  = " artifact show "
	queryVerb = " artifact query "
)

// showing returns the command that shows an excerpt of a stored stream.
func (s *Stream) showing() string {
	return strings.Replace(strings.Replace(s.reading(), catVerb, showVerb, 1), s.Artifact, ShortDigest(s.Artifact), 1)
}

// ShortDigest returns the first 12 digits of a digest, without sha256:, which every
// command of envwrap accepts.
func ShortDigest(digest string) string {
	const digits = 12
	hex := strings.TrimPrefix(digest, "sha256:")
	return hex[:min(len(hex), digits)]
}

// readingGap returns the command that prints what to read next of x, the excerpt of a
// stored stream, as far as it is known, else all of the stream.
func (s *Stream) readingGap(x *Excerpt) string {
	command := s.reading()
	if s.Stored() != "" {
		command = strings.Replace(command, s.Stored(), ShortDigest(s.Stored()), 1)
	}
	program, rest, ok := strings.Cut(command, catVerb)
	gap := catVerb + x.Gap
	if x.Query != "" {
		gap = queryVerb + x.Query
	}
	if !ok || gap == catVerb {
		return command
	}
	for _, option := range []string{"--lines ", "--bytes "} {
		if after, found := strings.CutPrefix(rest, option); found {
			_, rest, _ = strings.Cut(after, " ")
		}
	}
	return program + gap + " " + rest
}

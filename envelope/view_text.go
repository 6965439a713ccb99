package envelope

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/excerpt"
)

// argv returns the command line, cut from its end where there is no room.
func (v *view) argv() []string {
	limit := v.cut.argv
	if limit == 0 {
		return append([]string{}, v.Argv...)
	}
	out := []string{}
	for i, arg := range v.Argv {
		arg = wire.Shorten(arg, max(limit, 8))
		if limit -= len(arg) + 3; limit < 0 && i > 0 {
			return append(out, "…")
		}
		out = append(out, arg)
	}
	return out
}

// knownArgv returns the command line, nil where an adopted envelope does not have it, as
// those of delegator/v3.6 and lean ones.
func (v *view) knownArgv() *[]string {
	if v.Nested && len(v.Argv) == 0 {
		return nil
	}
	return new(v.argv())
}

// texts returns a list of lines for people, cut where there is no room.
func (v *view) texts(list []string) []string {
	limit := v.cut.text
	if limit == 0 {
		return list
	}
	var out []string
	for _, s := range list[:min(len(list), 3)] {
		out = append(out, wire.Shorten(s, limit))
	}
	return out
}

// short is one text for people, cut where there is no room.
func (v *view) short(s string) string {
	if v.cut.text == 0 {
		return s
	}
	return wire.Shorten(s, v.cut.text)
}

// signal returns the name of the signal that ended the run, "" for any other word.
func (v *view) signal() string {
	if !wire.IsSignal(v.Outcome.Signal) {
		return ""
	}
	return v.Outcome.Signal
}

// roomy returns a list of members, without the large ones where there is no room.
func (v *view) roomy(list wire.Fields) wire.Fields {
	if v.cut.text == 0 {
		return list
	}
	var out wire.Fields
	for _, f := range list {
		if len(f.Name)+len(f.Value) <= v.cut.text {
			out = append(out, f)
		}
	}
	return out
}

// tail returns the last stderrTailMost characters of a stream, cleaned.
func (v *view) tail(s *Stream) string {
	n := stderrTailMost
	if v.cut.tail > 0 {
		n = min(n, v.cut.tail)
	}
	return tailRunes(excerpt.Clean(lastBytes(s.end(), 16*n)), n)
}

// lastBytes returns the end of s from the beginning of a line on: mostly more than n
// bytes.
func lastBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	if i := strings.LastIndexByte(s[:len(s)-n], '\n'); i >= 0 {
		return s[i+1:]
	}
	return s
}

// end returns the end of a stream, unchanged, as far as the record holds it.
func (s *Stream) end() string {
	switch {
	case s.Text != "":
		return s.Text
	case len(s.Tail) > 0:
		return string(s.Tail)
	case s.JSON != nil:
		return string(s.JSON)
	case s.Excerpt != nil:
		return s.Excerpt.Text
	}
	return string(s.Binary)
}

// whole returns all of a stream as text; ok is false where only parts are at hand.
func (s *Stream) whole() (text string, ok bool) {
	switch {
	case s.Text != "" || s.Bytes == 0:
		return s.Text, true
	case int64(len(s.Head)) >= s.Bytes:
		return string(s.Head), true
	case s.JSON != nil:
		return string(s.JSON), true
	case len(s.Binary) > 0:
		return string(s.Binary), true
	case s.Excerpt != nil && s.Excerpt.OmittedBytes == 0 && int64(len(s.Excerpt.Text)) == s.Bytes:
		return s.Excerpt.Text, true
	case int64(len(s.Tail)) >= s.Bytes:
		return string(s.Tail), true
	}
	return "", false
}

// Content returns what the record has of the stream's bytes, and how they were
// interpreted. Where Replaced is not 0 they are not exactly those of the stream.
func (s *Stream) Content() ([]byte, Parse) {
	switch {
	case s.JSON != nil:
		return s.JSON, ParseJSON
	case len(s.Binary) > 0:
		return s.Binary, ParseText
	}
	return []byte(s.Text), ParseAuto
}

// hasRoom reports whether a value can stay inline.
func (v *view) hasRoom(raw json.RawMessage) bool {
	return v.cut.inline == 0 || len(raw) <= v.cut.inline
}

// foreignCode returns the code as the decoded envelope has it, else the catalog's.
func (v *view) foreignCode() wire.Filled {
	if v.Outcome.ForeignCode != "" {
		return wire.Filled(v.Outcome.ForeignCode)
	}
	return wire.Filled(v.Outcome.Code)
}

// notes returns the warnings, and what was kept of pipelines, for dialects that have no
// member for that.
func (v *view) notes() []string {
	list := slices.Clip(v.Warnings)
	for i := range v.Kept {
		list = append(list, v.Kept[i].text())
	}
	return list
}

// text says what was kept: "make printed 5,391 lines: envwrap artifact cat 1a2b3c4d5e6f".
func (k *Kept) text() string {
	amount := thousands(k.Lines) + " lines"
	switch {
	case k.Lines == 0:
		amount = thousands(k.Bytes) + " bytes"
	case k.Lines == 1:
		amount = "1 line"
	}
	who, until, part := k.Program, "", ""
	if who == "" {
		who = "the first stage"
	}
	if k.Early {
		until = " until the reader stopped"
	}
	if k.Truncated {
		part = " (the beginning of them is kept)"
	}
	return who + " printed " + amount + until + part + ": " + k.Read
}

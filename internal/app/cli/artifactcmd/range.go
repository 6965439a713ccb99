package artifactcmd

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// jsonLimit is how many bytes of an artifact one JSON object shows.
const jsonLimit = 1 << 20

// A rangeView is a range of an artifact in JSON: as text where it is UTF-8.
type rangeView struct {
	Digest    string  `json:"digest"`
	Size      int64   `json:"size_bytes"` // of the artifact
	From      int64   `json:"from"`
	To        int64   `json:"to"`                  // the byte after the last
	Truncated bool    `json:"truncated,omitempty"` // less than was asked for
	Read      string  `json:"read,omitempty"`      // the command that shows more
	Text      *string `json:"text,omitempty"`
	Base64    *string `json:"base64,omitempty"`
}

// printRange prints the range from:to of an artifact, as its bytes or as JSON. The
// bytes of all of a small artifact are checked before.
func printRange(c *cli.Call, o *artifact.Object, from, to int64) error {
	var r io.Reader = io.NewSectionReader(o, from, to-from)
	if from == 0 && to == o.Size() {
		var err error
		if r, err = checkedReader(o); err != nil {
			return err
		}
	}
	if !c.JSON() {
		w, end := c.Content(c.Raw())
		return errors.Join(copyTo(w, r), end())
	}
	v := rangeView{Digest: o.Digest(), Size: o.Size(), From: from, To: to}
	b, err := io.ReadAll(io.LimitReader(r, jsonLimit))
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if int64(len(b)) < to-from {
		b = b[:len(b)-jsontext.Unfinished(b)]
		v.To, v.Truncated = from+int64(len(b)), true
		v.Read = c.ReadCommand(c.Store())(o.Digest()) + fmt.Sprintf(" --json --range %d:%d", v.To, to)
	}
	if utf8.Valid(b) {
		s := string(b)
		v.Text = &s
	} else {
		s := base64.StdEncoding.EncodeToString(b)
		v.Base64 = &s
	}
	return c.AnswerJSON(v)
}

package cache

import (
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

func TestEveryTextIsMasked(t *testing.T) {
	e := new(Entry)
	testenv.Fill(t, e)
	e.MaskTexts(envelope.Mask{Text: testenv.MaskSecret, Args: testenv.MaskSecrets})
	testenv.Unmasked(t, e, map[string]string{
		"Key": "a digest", "Entry.Signer": "a public key", "Entry.Outcome": "a kind of outcome", "Recording.Name": "a signal's name", "Nesting": "one of three words",
		"Parts.Command": "masked when it was made", "Parts.Inputs": "masked when they were made",
		"Parts.Argv": "a digest", "Parts.Dir": "a digest", "Parts.Program": "a digest", "Parts.Path": "a digest",
		"Parts.Stdin": "a digest or a word", "Parts.Umask": "a number", "Parts.Options": "words of a fixed list",
		"Parts.Env": "names, and digests", "Parts.Unmatched": "not stored",
		"RecordedStream.Artifact": "a digest", "RecordedStream.Bytes": "captured output", "RecordedStream.Masked": "names of rules", "Recording.KeptMasked": "names of rules", "Kept.Artifact": "a digest",
	})
}

func TestPartsHoldNoSecret(t *testing.T) {
	c := &Cache{}
	call := &Call{
		Command: "x/" + testenv.Secret, Argv: []string{testenv.Secret}, Dir: testenv.Secret, Program: testenv.Secret, Stdin: testenv.Secret,
		Env: map[string]*string{"A": new(testenv.Secret)}, Mask: testenv.MaskSecret,
	}
	parts := c.parts(call, testenv.Secret, map[string]string{testenv.Secret: testenv.Secret})
	testenv.Unmasked(t, parts, nil)
}

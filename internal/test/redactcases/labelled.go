// Package redactcases has cases to measure redaction by: labelled ones in files, and ones
// that it makes up, in which secrets of many kinds are in the texts where they occur.
package redactcases

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// A Case is a text with a secret in it (Kind "tp"), or one without ("fp").
type Case struct {
	Src, Rule, Kind, Text string
	Secret                string
	Secrets               []string
}

// Read reads the cases of a file: JSON lines, or those gzipped and in base64.
// It fails if none exists.
func Read(name string) ([]Case, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read cases: %w", err)
	}
	if b, err = unpack(b); err != nil {
		return nil, fmt.Errorf("unpack cases in %q: %w", name, err)
	}
	var rows []Case
	for d := json.NewDecoder(bytes.NewReader(b)); ; {
		var c Case
		if err := d.Decode(&c); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("decode case %d of %q: %w", len(rows)+1, name, err)
		}
		if c.Kind != "tp" && c.Kind != "fp" {
			return nil, fmt.Errorf("case %d of %q: kind is %q, want tp or fp", len(rows)+1, name, c.Kind)
		}
		rows = append(rows, c)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("read cases: %q has none", name)
	}
	return rows, nil
}

// unpack decodes b where it is gzipped and in base64.
func unpack(b []byte) ([]byte, error) {
	if !bytes.HasPrefix(b, []byte("H4sI")) {
		return b, nil
	}
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(b)))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// Passes reports whether got is a good result for the case.
func (c Case) Passes(got string) bool {
	if c.Kind == "fp" {
		return got == c.Text
	}
	return !left(got, c.Text, c.Secret)
}

// left reports whether more of secret is in got than the text has elsewhere: a
// run of more than a tenth of it, or of three bytes.
func left(got, text, secret string) bool {
	n := max(3, len(secret)/10) + 1
	if len(secret) < n {
		return strings.Contains(got, secret)
	}
	rest := strings.ReplaceAll(text, secret, "\x00")
	for i := 0; i+n <= len(secret); i++ {
		if s := secret[i : i+n]; strings.Contains(got, s) && !strings.Contains(rest, s) {
			return true
		}
	}
	return false
}

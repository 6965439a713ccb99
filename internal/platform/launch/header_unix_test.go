//go:build unix

package launch

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The first bytes of a file say what it needs; a FIFO is not waited for.
func TestReadHeader(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	for text, want := range map[string]struct {
		Header
		program string
	}{
		"":                        {},
		"text\n":                  {},
		"#!/bin/sh":               {Header{Interpreter: "/bin/sh"}, ""},
		"#! /bin/sh -e\nx":        {Header{Interpreter: "/bin/sh", arguments: "-e"}, ""},
		"#!/bin/sh\r\n":           {Header{Interpreter: "/bin/sh", Carriage: true}, ""},
		"#!/usr/bin/env -S A=b x": {Header{Interpreter: "/usr/bin/env", arguments: "-S A=b x"}, "x"},
		"#!/usr/bin/env -i\n":     {Header{Interpreter: "/usr/bin/env", arguments: "-i"}, ""},
		"#!/bin/sh\n" + strings.Repeat("#", headerBytes): {Header{Interpreter: "/bin/sh"}, ""},
		"\x7fELF\x00":        {Header{Binary: true}, ""},
		"\x7fELF is no text": {Header{Binary: true}, ""},
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := ReadHeader(file); got != want.Header || got.Program() != want.program {
			t.Errorf("%q: %+v, %q", text, got, got.Program())
		}
	}
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{fifo, dir, filepath.Join(dir, "none")} {
		if got := ReadHeader(path); got != (Header{}) {
			t.Errorf("%s: %+v", path, got)
		}
	}
}

//go:build unix

// Command hostile reads texts that were made to be slow and holds floors under the speed at
// which they are read. Run by .ci/run.
//
//	go -C tools run ./bench/hostile
//
// A row is a text, the MB that envwrap reads of it in a second of processor time, and how
// many times faster SHA-256 is. The two are measured in turns, five times, or up to 25 times
// for a text that is too slow, and the best of each counts, so that other load on the
// machine changes little. The status is 1 if the hash is more than 200 times as fast: where it
// reads 1.4 GB/s, that is 7 MB/s. On an idle machine each text has about twice that or more;
// a busy neighbor on the same processor takes half of it, and nothing from the hash.
package main

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/excerpt"
	"github.com/envwrap/envwrap/internal/test/redactcases"
	"github.com/envwrap/envwrap/redact"
)

const (
	size   = 1 << 20 // of a text, in bytes
	rounds = 5
	more   = 25  // rounds for a text that is too slow: neighbors slow a machine for a while
	most   = 200 // times that the hash may be faster
)

// A reader reads a text as a part of a run does.
type reader func(text []byte) error

// texts are the hostile texts for each reader.
var texts = []struct {
	name string
	read reader
	line func(r *rand.Rand) string
}{
	{"excerpt: newlines", choose, func(*rand.Rand) string { return "\n" }},
	{"excerpt: equal lines", choose, func(*rand.Rand) string { return "y\n" }},
	{"excerpt: short errors", choose, func(r *rand.Rand) string { return fmt.Sprintf("e%c error\n", 'a'+r.IntN(26)) }},
	{"excerpt: one line of errors", choose, func(*rand.Rand) string { return "error,0," }},
	{"excerpt: control codes", choose, func(*rand.Rand) string { return "\x1b[31m\bx\x1b[0m\n" }},
	{"excerpt: no UTF-8", choose, func(r *rand.Rand) string { return string([]byte{byte(r.IntN(256)), 0xff, 0x80, '\n'}) }},
	{"validate: repeated names", check, func(*rand.Rand) string { return `"k":1,` }},
	{"validate: brackets", check, func(*rand.Rand) string { return `"k":[[[[[[[[]]]]]]]],` }},
	{"artifact import: one object", load, func(*rand.Rand) string { return entry("an object that comes again") }},
	{"validate: lines of repeated names", checkLines, func(*rand.Rand) string {
		return document(strings.Repeat(`"k":1,`, 200)) + "\n"
	}},
}

// mask returns a reader that masks known values and other secrets.
func mask(known []string) reader {
	var values []redact.Value
	for _, s := range known {
		values = append(values, redact.Value{Rule: "env:V", Secret: s})
	}
	r := redact.New(redact.Options{Values: values})
	return func(text []byte) error {
		w := r.Writer(io.Discard)
		if _, err := w.Write(text); err != nil {
			return err
		}
		return w.Close()
	}
}

func choose(text []byte) error {
	w := excerpt.Writer{Max: 8 << 10}
	if _, err := w.Write(text); err != nil {
		return err
	}
	if w.Excerpt(8<<10).Text == "" {
		return fmt.Errorf("the excerpt is empty")
	}
	return nil
}

func check(text []byte) error { return checkLines([]byte(document(string(text)))) }

func checkLines(text []byte) error {
	var c envelope.Checker
	return c.CheckAll(bytes.NewReader(text), runtime.GOMAXPROCS(0), func(envelope.Document, envelope.Checked) {})
}

// load imports an archive into a new store.
func load(archive []byte) (err error) {
	dir, err := os.MkdirTemp("", "hostile-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s, err := artifact.Open(artifact.Options{Dir: filepath.Join(dir, "store")})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	i, err := s.Import(bytes.NewReader(archive))
	if err == nil && i.FirstForeign != "" {
		err = fmt.Errorf("%s is no object", i.FirstForeign)
	}
	return err
}

// entry returns the part of an archive that has an object.
func entry(object string) string {
	var b strings.Builder
	t := tar.NewWriter(&b)
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte(object)))
	err := t.WriteHeader(&tar.Header{Name: "objects/" + sum[:2] + "/" + sum, Typeflag: tar.TypeReg, Mode: 0o400, Size: int64(len(object))})
	if err == nil {
		_, err = io.WriteString(t, object)
	}
	if err = errors.Join(err, t.Flush()); err != nil {
		panic(err) // a builder does not fail
	}
	return b.String()
}

// document returns an envelope that has members, each with a comma after it, in its data.
func document(members string) string {
	return `{"version":1,"status":"ok","command":"a/b","data":{` + members + `"a":1},"meta":{"ts":"2026-01-01T00:00:00Z","duration_ms":1},"error":{"code":null,"message":null}}`
}

func hash(text []byte) error {
	sum := sha256.New()
	for range 16 {
		sum.Write(text)
	}
	return nil
}

func main() {
	slow, err := measure(os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "hostile:", err)
		os.Exit(1)
	}
	if len(slow) > 0 {
		fmt.Fprintf(os.Stderr, "hostile: too slow: %s\n", strings.Join(slow, ", "))
		os.Exit(1)
	}
}

// measure prints a row for each text, and returns the names of those that are too slow.
func measure(w io.Writer) (slow []string, err error) {
	fmt.Fprintf(w, "%-36s %8s %10s\n", "", "MB/cpu-s", "SHA-256")
	row := func(name string, reader reader, text []byte) error {
		read, hashed := time.Duration(1<<62), time.Duration(1<<62)
		var times float64
		for i := 0; i < rounds || i < more && times > most; i++ {
			if read, err = faster(read, reader, text); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if hashed, err = faster(hashed, hash, text); err != nil {
				return err
			}
			times = 16 * read.Seconds() / hashed.Seconds()
		}
		fmt.Fprintf(w, "%-36q %8.1f %9.0fx\n", name, float64(len(text))/1e6/read.Seconds(), times)
		if times > most {
			slow = append(slow, name)
		}
		return nil
	}
	for _, t := range texts {
		var text bytes.Buffer
		for r := rand.New(rand.NewPCG(1, 1)); text.Len() < size; {
			text.WriteString(t.line(r))
		}
		if err := row(t.name, t.read, text.Bytes()); err != nil {
			return nil, err
		}
	}
	hostile := redactcases.HostileTexts()
	for _, name := range slices.Sorted(maps.Keys(hostile)) {
		if err := row("redact: "+name, mask(hostile[name].Known), hostile[name].Text); err != nil {
			return nil, err
		}
	}
	for _, s := range redactcases.Repeats {
		if err := row("redact: "+s, mask(nil), bytes.Repeat([]byte(s), size/4/len(s))); err != nil {
			return nil, err
		}
	}
	return slow, nil
}

// faster returns the lesser of best and the processor time that read takes for text.
func faster(best time.Duration, read reader, text []byte) (time.Duration, error) {
	before, err := processorTime()
	if err != nil {
		return 0, err
	}
	if err := read(text); err != nil {
		return 0, err
	}
	after, err := processorTime()
	return min(best, max(after-before, time.Microsecond)), err
}

// processorTime returns the user and system time of this process.
func processorTime() (time.Duration, error) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, fmt.Errorf("read the processor time: %w", err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), nil
}

package redact_test

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact"
)

// logs is a text of n bytes and more as tools write it: test runs, builds,
// package managers, version control, servers. There is no secret in it.
func logs(n int) []byte {
	rnd := rand.New(rand.NewPCG(7, 7))
	words := strings.Fields("accept account active adapter address agent archive async backend balance batch binary block " +
		"branch broker buffer build cache client clock cluster codec column commit config connection context counter cursor " +
		"daemon database decode default deploy device driver encode engine entry error event export field filter format frame " +
		"gateway handler header image import index input issue journal kernel layer leader limit listen loader logger manager " +
		"message metric module monitor mutex network object option output package parser patch path pool port process profile " +
		"project proxy queue reader record region registry request response result router runner runtime schema script server " +
		"service session shard signal socket source state status stream string switch system table target task test thread " +
		"timeout token trace transport tree update upload user value vector version volume worker writer zone")
	word := func() string { return words[rnd.IntN(len(words))] }
	hex := func(n int) string { return fmt.Sprintf("%032x%032x", rnd.Uint64(), rnd.Uint64())[64-n:] }
	title := func(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
	lines := []func() string{
		func() string { return fmt.Sprintf("=== RUN   Test%s%s", title(word()), title(word())) },
		func() string {
			return fmt.Sprintf("--- PASS: Test%s%s (0.%02ds)", title(word()), title(word()), rnd.IntN(100))
		},
		func() string {
			return fmt.Sprintf("ok  \tgithub.com/example/%s/internal/%s\t%d.%03ds", word(), word(), rnd.IntN(9), rnd.IntN(1000))
		},
		func() string {
			return fmt.Sprintf("2026-03-01 10:%02d:%02d status installed lib%s-%s:amd64 %d.%d-%d", rnd.IntN(60), rnd.IntN(60), word(), word(), rnd.IntN(9), rnd.IntN(20), rnd.IntN(9))
		},
		func() string {
			return fmt.Sprintf(`    "node_modules/%s-%s": {"version": "%d.%d.0", "resolved": "https://registry.example.org/%s/-/%s-1.0.0.tgz", "license": "MIT"},`, word(), word(), rnd.IntN(9), rnd.IntN(30), word(), word())
		},
		func() string {
			return fmt.Sprintf("%s %s the %s of the %s %s", hex(40), title(word()), word(), word(), word())
		},
		func() string {
			return fmt.Sprintf(`{"time":"2026-03-01T10:00:%02dZ","level":"info","msg":"%s %s","%s_id":"%s","duration_ms":%d}`, rnd.IntN(60), word(), word(), word(), hex(16), rnd.IntN(900))
		},
		func() string {
			return fmt.Sprintf("10.0.%d.%d - - [01/Mar/2026:10:00:00 +0000] \"GET /api/%s/%d?page=%d HTTP/1.1\" 200 %d", rnd.IntN(250), rnd.IntN(250), word(), rnd.IntN(9999), rnd.IntN(9), rnd.IntN(99999))
		},
		func() string {
			return fmt.Sprintf("gcc -O2 -Wall -Iinclude/%s -DHAVE_%s -c src/%s_%s.c -o build/%s_%s.o", word(), strings.ToUpper(word()), word(), word(), word(), word())
		},
		func() string {
			return fmt.Sprintf("\tif err := %s.%s(ctx, %s); err != nil { return fmt.Errorf(\"%s %s: %%w\", err) }", word(), title(word()), word(), word(), word())
		},
	}
	var b bytes.Buffer
	for b.Len() < n {
		b.WriteString(lines[rnd.IntN(len(lines))]())
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// benchmark masks text. Beside MB/s it reports MB/cpu-s, which other load on the
// machine changes less, and the spans that were masked.
func benchmark(b *testing.B, r *redact.Redactor, text []byte) {
	b.Helper()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	var counts redact.Counts
	before := processorTime()
	for b.Loop() {
		w := r.Writer(io.Discard)
		if _, err := w.Write(text); err != nil {
			b.Fatal(err)
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
		counts = w.Counts()
	}
	if used := processorTime() - before; used > 0 {
		b.ReportMetric(float64(len(text))*float64(b.N)/1e6/used.Seconds(), "MB/cpu-s")
	}
	spans := 0
	for _, n := range counts {
		spans += n
	}
	b.ReportMetric(float64(spans)/(float64(len(text))/1e6), "spans/MB")
}

// values are n known values as environments have them.
func values(n int) []redact.Value {
	rnd := rand.New(rand.NewPCG(8, 8))
	var v []redact.Value
	for i := range n {
		v = append(v, redact.Value{Rule: fmt.Sprintf("env:V%d", i), Secret: fmt.Sprintf("%x/%x+%d", rnd.Uint64(), rnd.Uint64(), i)})
	}
	return v
}

// The engine on made-up logs, on the source tree of Go, on what tools print, and
// on a file of one's own (REDACT_FILE). spans/MB counts what is masked: there is
// nothing secret in the logs, and the tests of Go have keys.
func BenchmarkWriter(b *testing.B) {
	text := logs(8 << 20)
	b.Run("logs", func(b *testing.B) { benchmark(b, redact.New(redact.Options{}), text) })
	b.Run("source", func(b *testing.B) { benchmark(b, redact.New(redact.Options{}), goSource(b)) })
	for name, unit := range map[string]string{"zeros in base64": "value: " + strings.Repeat("QUFB", 50) + "\n"} {
		b.Run(name, func(b *testing.B) {
			benchmark(b, redact.New(redact.Options{}), []byte(strings.Repeat(unit, (1<<20)/len(unit))))
		})
	}
	for _, command := range tools {
		b.Run(command, func(b *testing.B) { benchmark(b, redact.New(redact.Options{}), printed(b, command)) })
	}
	if name := os.Getenv("REDACT_FILE"); name != "" {
		b.Run("file", func(b *testing.B) {
			own, err := os.ReadFile(name)
			if err != nil {
				b.Fatal(err)
			}
			benchmark(b, redact.New(redact.Options{}), own)
		})
	}
	for _, n := range []int{3, 20, 50} {
		b.Run(fmt.Sprintf("logs, %d known values", n), func(b *testing.B) {
			benchmark(b, redact.New(redact.Options{Values: values(n)}), text)
		})
	}
	for _, n := range []int{1, 50, 150} {
		b.Run(fmt.Sprintf("known=%d", n), func(b *testing.B) {
			benchmark(b, redact.New(redact.Options{Mode: redact.Known, Values: values(n)}), text)
		})
	}
}

// tools are commands of a machine that has Go and this repository.
var tools = []string{
	"go list -json -deps std", "go build -n -a std", "go test -v strings strconv sort net/url text/template",
	"go test -json strings strconv sort net/url text/template", "git log --stat", "git log -p -200 --no-color -- ../wrap ../artifact",
}

// printed returns the output of a command, repeated if it is short.
func printed(b *testing.B, command string) []byte {
	b.Helper()
	argv := strings.Fields(command)
	out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput()
	if err != nil || len(out) == 0 {
		b.Skipf("%s does not run here: %v", command, err)
	}
	return bytes.Repeat(out, 1+(8<<20)/len(out))
}

// goSource is the Go files of the standard library and the tool chain.
func goSource(b *testing.B) []byte {
	b.Helper()
	var text []byte
	home, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Skipf("the go command does not say where its source is: %v", err)
	}
	root := filepath.Join(strings.TrimSpace(string(home)), "src")
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || len(text) > 64<<20 {
			return err
		}
		file, err := os.ReadFile(path)
		text = append(text, file...)
		return err
	})
	if err != nil || len(text) == 0 {
		b.Skipf("there is no Go source tree at %s: %v", root, err)
	}
	return text
}

// A short text, such as a message or an argument.
func BenchmarkString(b *testing.B) {
	r := redact.New(redact.Options{Values: values(3)})
	b.ReportAllocs()
	for b.Loop() {
		r.String("could not open the index of the registry: no such file or directory")
	}
}

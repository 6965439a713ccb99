package envelope

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope/internal/mimetype"
	"github.com/envwrap/envwrap/envelope/internal/preview"
	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// testdata/envelopes/conversions.txt has a row for each run and each vector: how many
// bytes its envelope has in each format, a checksum of them, and how many members
// are lost. UPDATE=1 writes it anew; TestConvertLosses and TestConvertVectors say
// what has to hold of all of them.
func TestConversions(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	cell := func(out []byte, lost []Loss, err error) {
		if err != nil {
			b.WriteString("  -")
			return
		}
		fmt.Fprintf(&b, "  %d:%04x", len(out), crc32.ChecksumIEEE(out)&0xffff)
		if len(lost) > 0 {
			fmt.Fprintf(&b, "-%d", len(lost))
		}
	}
	encode := func(name string, r *Result, o EncodeOptions) {
		b.WriteString(row(name))
		for _, to := range Formats() {
			out, err := Encode(to, r, o)
			cell(out, nil, err)
		}
		b.WriteByte('\n')
	}
	for _, c := range append(testCases(t), rareCases()...) {
		encode(c.name, c.result, c.opt)
		encode(c.name+"+output", c.result, EncodeOptions{IncludeOutput: IncludeAlways, IncludeEvents: true})
		encode(c.name+"+lean", c.result, EncodeOptions{Detail: DetailLean})
		encode(c.name+"+budget", c.result, EncodeOptions{Budget: 2500, Layout: LayoutPretty})
	}
	for pick := range uint8(64) { // runs and answers about jobs of every kind, of no sense
		made := fuzzRecord([]byte(`{"event":"made","n":1}`+"\n"+`{"event":"made","n":2}`), "well", 1_700_000_000, pick)
		encode(fmt.Sprintf("made-%d", pick), made, EncodeOptions{IncludeEvents: pick%3 == 0})
	}
	for _, from := range Dialects() {
		b.WriteString("\n" + from.Name() + "\n")
		for _, v := range readVectors(t, from) {
			if !v.Valid {
				continue
			}
			b.WriteString(row(v.Name))
			for _, to := range Formats() {
				cell(Convert(from, to, v.doc(t), EncodeOptions{}))
			}
			b.WriteByte('\n')
		}
	}
	compareGolden(t, filepath.Join("..", "testdata", "envelopes", "conversions.txt"), b.Bytes())
}

// rareCases are answers and streams that callers seldom make.
func rareCases() []testCase {
	var all []testCase
	add := func(name string, r *Result) { all = append(all, testCase{name: name, result: r}) }
	for _, job := range []Job{runningJob(), queuedJob()} {
		for _, category := range []string{"wait_result", "result_set"} {
			r := about(JobsInfo, job)
			r.Category = category
			add(category+" "+string(job.State), r)
		}
	}
	r := about(JobsInfo, runningJob())
	r.Category, r.Jobs.Next = "wait_result", ""
	r.Jobs.SoFar = [2]*Stream{{Text: strings.Repeat("so far\n", 9000), Bytes: 63_000}, {Text: "cut\n", Bytes: 40}}
	add("wait so far", r)
	for _, state := range []JobState{JobOK, JobFailed, JobCanceled, JobLost} {
		for _, code := range []Code{"", ETIMEOUT} {
			job := endedJob()
			job.State, job.Code = state, code
			for _, kind := range []JobsKind{JobsInfo, JobsList, JobsCancel, "another"} {
				add(fmt.Sprintf("%s %s %s", kind, state, code), about(kind, job))
			}
		}
	}
	add("cleanup of nothing", answer(&Jobs{Kind: JobsCleanup, All: true}))
	for _, n := range []int{3, 700, 5000} {
		r := newRun(0, "", "", "watch")
		r.JobID, r.Category = jobA, "result_set"
		text := strings.Repeat(`{"event":"step","about":"the lease of ada"}`+"\n", n)
		r.Stdout = summarize(text, ParseNDJSON, 999).Spilled(digestA, "envwrap artifact cat "+digestA, 300)
		add(fmt.Sprintf("%d events", n), r)
	}
	number := int64(3)
	for i, y := range []*Summary{
		nil,
		{},
		{Kind: mimetype.Text},
		{Kind: mimetype.Text, Lines: &number},
		{Kind: mimetype.NDJSON},
		{Kind: mimetype.NDJSON, RecordCount: &number},
		{Kind: mimetype.Text, Preview: json.RawMessage(`"x"`)},
		{Kind: mimetype.Text, Preview: wire.MustEncode(&preview.Preview{Head: strings.Repeat("head\n", 60), Tail: strings.Repeat("tail\n", 60)})},
		{Kind: mimetype.JSON, Preview: json.RawMessage(`{"a":"one","b":"` + strings.Repeat("x", 300) + `","c":"two"}`)},
	} {
		for _, excerpt := range []*Excerpt{nil, {Text: "shown\n", OmittedBytes: 9, OmittedLines: 1}} {
			r := newRun(0, "", "", "make")
			r.Stdout = Stream{Bytes: 999, Lines: 7, Artifact: digestA, Summary: y, Excerpt: excerpt}
			add(fmt.Sprintf("summary %d %t", i, excerpt != nil), r)
		}
	}
	for i, s := range []Stream{
		{Text: "caf\ufffd\n", Bytes: 5, Lines: 1, Replaced: 1, Exact: digestB, Head: []byte("caf\xe9\n")},
		{Text: "caf\ufffd\n", Bytes: 5, Lines: 1, Replaced: 1},
		{Text: "caf\ufffd\n", Bytes: 6, Lines: 1, Replaced: 2, Head: []byte("caf\xe9\n")},
		{Text: "cut", Bytes: 50, Lines: 4, Truncated: true},
		{Text: "a line\n", Bytes: 7, Lines: 1, Exact: digestB, Read: "envwrap artifact cat " + digestB},
		{Binary: []byte("\xff\x00"), Bytes: 5120, Lines: 1},
		{Binary: []byte("\xff\x00"), Bytes: 1_234_567, Lines: 1, Artifact: digestA, Read: "envwrap artifact cat " + digestA},
	} {
		r := newRun(0, "", "", "make")
		r.Stdout = s
		add(fmt.Sprintf("stream %d", i), r)
	}
	for i, year := range []int{-1, 0, 9999, 10_000} {
		r := newRun(0, "ok\n", "", "true")
		r.Ended = time.Date(year, 1, 2, 3, 4, 5, 6_789_000, time.UTC)
		r.Started = r.Ended.Add(-r.Duration)
		add(fmt.Sprintf("year %d", i), r)
	}
	return all
}

// row returns a name as the first column of a row.
func row(name string) string { return fmt.Sprintf("%-30s", strings.ReplaceAll(name, " ", "-")) }

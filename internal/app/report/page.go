package report

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/envwrap/envwrap/internal/app/runlog"
)

//go:embed page.css
var style string

//go:embed page.js
var script string

// The parts of the page around the policy, the style, the data and the script.
const (
	head = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-%s'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>envwrap: what ran</title>
<style>%s</style>
</head>
<body>
<main id="page"><noscript>%d runs, %d of them failed. The rest of this page needs JavaScript, which is in the page itself.</noscript></main>
<script type="application/json" id="data">`
	middle = "</script>\n<script>"
	tail   = "</script>\n</body>\n</html>\n"
)

// longestLine is more than a line of the record has.
const longestLine = 64 << 10

// Write reads the unfinished jobs and the lines of the record, the last one first, and
// writes the page about them.
// running are the ids of unfinished runs whose processes live.
func Write(w io.Writer, lines io.Reader, now, since time.Time, running []string) error {
	b := newBuilder(now, running)
	scan := bufio.NewScanner(lines)
	scan.Buffer(make([]byte, longestLine), longestLine)
	for scan.Scan() {
		var r runlog.Run
		if json.Unmarshal(scan.Bytes(), &r) == nil {
			b.add(&r)
		}
	}
	if err := scan.Err(); err != nil {
		return fmt.Errorf("read the record: %w", err)
	}
	return write(w, b.finish(since))
}

func write(w io.Writer, d *data) error {
	page := render(d)
	for len(page) > pageMost && d.shrink() {
		page = render(d)
	}
	if _, err := w.Write(page); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

func render(d *data) []byte {
	value, _ := json.Marshal(d) // texts and numbers only; <, > and & are escaped
	var page bytes.Buffer
	fmt.Fprintf(&page, head, digest(script), digest(style), style, d.Total.Runs, d.Total.Failures)
	page.Write(value)
	page.WriteString(middle + script + tail)
	return page.Bytes()
}

// digest returns a text's digest as the policy has it.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

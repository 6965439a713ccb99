// Score measures how redaction does on labelled cases.
//
//	go run ./internal/score [-misses] [-by src|rule] FILE.jsonl...
//
// A file has one JSON object a line: src, rule, kind ("tp" or "fp"), text, and
// for tp secret or secrets. A tp is caught where no secret of it is left in
// the output, nor a run of more than a tenth of one (three bytes of a short
// one). An fp is clean where the text comes out as it went in. A gzipped file
// in base64 is read, too.
package main

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/envwrap/envwrap/internal/score/cases"
	"github.com/envwrap/envwrap/redact"
)

func main() {
	misses := flag.Bool("misses", false, "print the cases that failed")
	by := flag.String("by", "src", "group results by `field`: src or rule")
	flag.Parse()
	if err := score(os.Stdout, flag.Args(), *by, *misses); err != nil {
		fmt.Fprintln(os.Stderr, "score:", err)
		os.Exit(1)
	}
}

// A tally is how many cases of a group passed.
type tally struct{ good, all int }

func (t tally) String() string {
	return fmt.Sprintf("%5d/%-5d %.4f", t.good, t.all, float64(t.good)/float64(t.all))
}

func score(out io.Writer, files []string, by string, misses bool) (err error) {
	w := bufio.NewWriter(out)
	defer func() { err = cmp.Or(err, w.Flush()) }()
	r := redact.New(redact.Options{})
	groups := map[string]map[string]tally{"tp": {}, "fp": {}}
	for _, f := range files {
		rows, err := cases.Read(f)
		if err != nil {
			return err
		}
		for _, c := range rows {
			got, counts := r.String(c.Text)
			ok := c.Passes(got)
			group := c.Src
			if by == "rule" {
				group += "/" + c.Rule
			}
			for _, g := range []string{group, "total"} {
				t := groups[c.Kind][g]
				t.all++
				if ok {
					t.good++
				}
				groups[c.Kind][g] = t
			}
			if misses && !ok {
				fmt.Fprintf(w, "%s %s/%s %q\n\tgot %q %v\n", c.Kind, c.Src, c.Rule, c.Text, got, counts)
			}
		}
	}
	for _, kind := range []string{"tp", "fp"} {
		title := map[string]string{"tp": "recall", "fp": "clean"}[kind]
		for _, g := range slices.Sorted(maps.Keys(groups[kind])) {
			fmt.Fprintf(w, "%s %-40s %s\n", title, g, groups[kind][g])
		}
	}
	return nil
}

// Command score measures how redaction does on labelled cases.
//
//	go -C tools run ./score [-misses] [-by src|rule] FILE.jsonl...
//	go -C tools run ./score -seed N [-misses]
//	go -C tools run ./score -text [-samples N] [-kind KIND] [-ceiling N] DIR...
//
// With -text it counts the masks in the files below directories of ordinary text, by kind
// of file, and shows a sample of them. It fails if a kind has more a MB than the ceiling.
//
// With -seed the cases are made up: every kind of secret in every frame, and texts
// that look random and have none; shares below 1 are printed by kind, frame and class.
//
// A file has one JSON object a line: src, rule, kind ("tp" or "fp"), text, and for tp
// secret or secrets. A tp is caught where no secret of it is left in the output, nor a
// run of more than a tenth of one (three bytes of a short one). An fp is clean where
// the text comes out as it went in. A gzipped file in base64 is read, too.
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

	"github.com/envwrap/envwrap/internal/test/redactcases"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/tools/internal/root"
)

func main() {
	misses := flag.Bool("misses", false, "print the cases that failed")
	by := flag.String("by", "src", "group results by `field`: src or rule")
	seed := flag.Uint64("seed", 0, "score the cases that are made up of this `number`, if it is not 0")
	text := flag.Bool("text", false, "count the masks in the files below directories, by kind of file")
	var of textOptions
	flag.IntVar(&of.samples, "samples", 0, "with -text, show a random sample of that `number` of masks, by -seed")
	flag.StringVar(&of.only, "kind", "", "with -text, read only files of this `kind`")
	flag.Float64Var(&of.ceiling, "ceiling", 0, "with -text, fail above this `number` of masks a MB of a kind")
	flag.Parse()
	err := root.Enter()
	switch {
	case err != nil:
	case *text:
		of.seed = *seed
		err = scoreText(os.Stdout, flag.Args(), of)
	case *seed != 0:
		err = scoreMade(os.Stdout, *seed, *misses)
	default:
		err = score(os.Stdout, flag.Args(), *by, *misses)
	}
	if err != nil {
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
		rows, err := redactcases.Read(f)
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
				fmt.Fprintf(w, "%s %s/%s %q\n\tsecret %q\n\tgot %q %v\n", c.Kind, c.Src, c.Rule, c.Text, c.Secret, got, counts)
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

// scoreMade scores the cases that are made up of seed.
func scoreMade(out io.Writer, seed uint64, misses bool) (err error) {
	w := bufio.NewWriter(out)
	defer func() { err = cmp.Or(err, w.Flush()) }()
	r := redact.New(redact.Options{})
	kinds, frames := map[string]tally{}, map[string]tally{}
	var total tally
	for _, c := range redactcases.Cases(seed) {
		got, counts := r.String(c.Text)
		ok := c.Passes(got)
		count(kinds, c.Of, ok)
		count(frames, c.Frame, ok)
		total.all++
		if ok {
			total.good++
		} else if misses {
			fmt.Fprintf(w, "%s %q\n\tgot %q %v\n", c.Rule, c.Text, got, counts)
		}
	}
	for _, g := range []struct {
		name  string
		tally map[string]tally
	}{{"kind", kinds}, {"frame", frames}} {
		names := slices.SortedFunc(maps.Keys(g.tally), func(a, b string) int {
			return cmp.Or(cmp.Compare(g.tally[a].share(), g.tally[b].share()), cmp.Compare(a, b))
		})
		for _, n := range names {
			if t := g.tally[n]; t.good < t.all {
				fmt.Fprintf(w, "%s %-40s %s\n", g.name, n, t)
			}
		}
	}
	fmt.Fprintf(w, "recall total %s\n", total)
	classes := map[string]tally{}
	for _, c := range redactcases.Clean(seed) {
		got, counts := r.String(c.Text)
		ok := c.Passes(got)
		count(classes, c.Of, ok)
		count(classes, "total", ok)
		if misses && !ok {
			fmt.Fprintf(w, "%s %q\n\tgot %q %v\n", c.Rule, c.Text, got, counts)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(classes)) {
		if t := classes[n]; t.good < t.all || n == "total" {
			fmt.Fprintf(w, "clean %s %s\n", n, t)
		}
	}
	return nil
}

func (t tally) share() float64 { return float64(t.good) / float64(t.all) }

// count adds a result to the group called name.
func count(groups map[string]tally, name string, ok bool) {
	t := groups[name]
	t.all++
	if ok {
		t.good++
	}
	groups[name] = t
}

package main

import (
	"os"

	"github.com/envwrap/envwrap/internal/app/companion"
	"github.com/envwrap/envwrap/internal/app/report"
)

// runReport writes the page about the lines of the record on standard input.
func runReport(args []string) error {
	if len(args) != 1 {
		return &usageError{"report is for envwrap itself: `envwrap help report` has its use"}
	}
	var r companion.Report
	if err := companion.Decode(args[0], &r); err != nil {
		return err
	}
	return report.Write(os.Stdout, os.Stdin, r.Now, r.Since, r.Running)
}

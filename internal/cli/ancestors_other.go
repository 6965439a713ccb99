//go:build !linux

package cli

import (
	"iter"
	"os"

	"github.com/envwrap/envwrap/detect"
)

// ancestors: no other system shows the environment of other processes.
func ancestors(int) (detect.Env, bool) { return nil, false }

// callers: no other system shows the files of other processes.
func callers() (iter.Seq[caller], bool) { return nil, false }

// linkName: where callers tells nothing, nobody asks.
func linkName(*os.File) string { return "" }

// Command envwrap runs a command and prints one JSON envelope about it.
package main

import (
	"os"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/verbs"
)

// Set by the release build; a build without them reads the module's own stamp.
var version, commit, date string

func main() {
	os.Exit(cli.Main(cli.Here(cli.Build{Version: version, Commit: commit, Date: date}, verbs.All())))
}

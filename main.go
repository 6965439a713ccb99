// Command envwrap runs a command and prints one JSON envelope about it.
package main

import (
	"os"

	"github.com/envwrap/envwrap/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args, os.Stdin, os.Stdout, os.Stderr))
}

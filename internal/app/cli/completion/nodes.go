package completion

import (
	"slices"

	"github.com/envwrap/envwrap/internal/app/cli"
)

// listing returns a line of POSIX shell, and of fish, that prints what there is of a
// kind, a word a line; "" where nothing needs to be asked. Digests are short,
// and have no colon, at which bash would cut a word.
func listing(k cli.ValueKind) string {
	const digests = ` 2>/dev/null | sed 's/^sha256:\([0-9a-f]\{12\}\).*/\1/'`
	switch k {
	case cli.AShim:
		return "envwrap shim list 2>/dev/null | cut -d ' ' -f 1"
	case cli.AnArtifact:
		return "envwrap artifact ls -n 100" + digests
	case cli.ARun:
		return "envwrap cache ls" + digests
	case cli.AJob:
		return "envwrap job ls -n 100 --format protocol/v1 --compact 2>/dev/null | grep -oE '[0-9A-HJKMNP-TV-Z]{26}' | sort -u"
	}
	return ""
}

// switches returns, as "artifact tail:-f", the options that take no value at a node
// although an option of the same name takes one at another.
func switches(list []cli.Node) []string {
	valued, names := withValue(list), []string(nil)
	for _, n := range list {
		for _, o := range n.Options {
			for _, s := range o.Spellings() {
				if o.Value == "" && slices.Contains(valued, s) {
					names = append(names, n.Path+":"+s)
				}
			}
		}
	}
	return names
}

// withValue returns the spellings of all options that take one, in any node.
func withValue(list []cli.Node) []string {
	var names []string
	for _, n := range list {
		for _, o := range n.Options {
			if o.Value != "" && !slices.Contains(names, "--"+o.Name) {
				names = append(names, o.Spellings()...)
			}
		}
	}
	return names
}

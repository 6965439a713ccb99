package hints

import (
	"strings"
	"testing"
)

// The name in a hint is the one in the output, in quotes or up to a blank or colon. A name
// that could not be one makes no hint, or a path another.
func TestText(t *testing.T) {
	for output, want := range map[string]string{
		"":                               "",
		"all well":                       "",
		"bind: Address already in use\n": "Another process listens on that port",
		"x: error while loading shared libraries: libssl.so.1: cannot open shared object file\n": "the library libssl.so.1,",
		"OSError: libx.so.1: cannot open shared object file: No such file or directory\n":        "the library libx.so.1,",
		": cannot open shared object file\n":                                                     "",
		"ModuleNotFoundError: No module named 'requests'\n":                                      "spelling of requests,",
		"Error: Cannot find module \"left-pad\"\n":                                               "spelling of left-pad;",
		"Error: Cannot find module './build/index.js'\n":                                         "There is no file ./build/index.js:",
		"Error: Cannot find module '/srv/app.js'\n":                                              "There is no file /srv/app.js:",
		"cannot load such file -- bundler (LoadError)\n":                                         "spelling of bundler,",
		"Error: Cannot find module '$(rm x)'\n":                                                  "",
		"Error: Cannot find module 'never closed\n":                                              "",
		"Error: Cannot find module '" + strings.Repeat("x", 101) + "'\n":                         "",
		"Error: Cannot find module ":                                                             "",
		"MemoryError\nNo space left on device\n":                                                 "Python could not get the memory",
	} {
		got := Text(output)
		if (got == "") != (want == "") || !strings.Contains(got, want) || strings.Contains(got, "NAME") {
			t.Errorf("%q: got %q, want %q", output, got, want)
		}
	}
}

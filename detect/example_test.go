package detect_test

import (
	"fmt"

	"github.com/envwrap/envwrap/detect"
)

// Say which agent is calling. It is a hint: anybody can set a variable.
func ExampleDetect() {
	environ := map[string]string{"CLAUDECODE": "1", "TERM_PROGRAM": "vscode"}
	lookup := func(name string) (string, bool) { // os.LookupEnv in a program
		value, ok := environ[name]
		return value, ok
	}
	caller := detect.Detect(lookup, nil)
	fmt.Println(caller.Agent, caller.Found, caller.Signals, caller.Host)
	// Output: claude true [CLAUDECODE] vscode
}

package cli

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/detect"
)

// outerOf is the process that ENVWRAP_CTX names, an envwrap that runs us, or 0.
// The variable may have outlived that run, so whoever asks looks for it among
// the processes above.
func outerOf(env detect.Env) int {
	context, _ := env("ENVWRAP_CTX")
	_, pid, _ := strings.Cut(context, ":")
	n, err := strconv.Atoi(pid)
	if err != nil || n <= 0 {
		return 0
	}
	return n
}

// outerStore is the store that the nearest of the envwraps above was told of by
// its environment, or "". Our own environment has the variable no more, but what
// we store is named in that one's envelope, and looked for in its store.
func (w *World) outerStore() string {
	outer := outerOf(w.lookup)
	if outer == 0 || w.Callers == nil {
		return ""
	}
	callers, ok := w.Callers()
	if !ok {
		return ""
	}
	for c := range callers {
		if c.pid != outer || c.env == nil {
			continue
		}
		if dir, _ := c.env("ENVWRAP_STORE"); filepath.IsAbs(dir) {
			return dir
		}
		outer = outerOf(c.env)
	}
	return ""
}

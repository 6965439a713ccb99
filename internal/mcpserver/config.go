package mcpserver

import (
	"log/slog"
	"time"

	"github.com/envwrap/envwrap/envelope"
)

// A Config says what a server offers. Program and Environ are required.
type Config struct {
	// Program is the path of the envwrap program.
	Program string
	// Environ is the environment of the commands, NAME=value. Options of
	// envwrap in it (ENVWRAP_TIMEOUT) hold, but for those that choose where
	// and how an envelope is written.
	Environ []string
	// Dir is where the commands run; "" is the server's own directory.
	Dir string
	// Version is shown to clients.
	Version string
	// Format is the format of text content; nil is brief/v1.
	Format envelope.Dialect
	// Shell adds the tool shell, which takes a text for bash.
	Shell bool
	// Wait is how long a call waits for its command before the command goes on
	// as a job; 0 is DefaultWait.
	Wait time.Duration
	// Inline is how many bytes of output an answer holds whole; 0 is
	// DefaultInline.
	Inline int
	// Log gets what goes wrong outside of any call; nil is nothing.
	Log *slog.Logger
}

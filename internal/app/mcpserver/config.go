package mcpserver

import (
	"log/slog"
	"time"

	"github.com/envwrap/envwrap/envelope"
)

// A Config configures a server. Program and Environ are required.
type Config struct {
	// Program is the path of the envwrap program.
	Program string
	// Environ is the environment of the commands, NAME=value. Options of envwrap in it
	// (ENVWRAP_TIMEOUT) apply, except those that choose where and how an envelope is
	// written.
	Environ []string
	// Dir is where the commands run; "" is the server's own directory.
	Dir string
	// Version is shown to clients.
	Version string
	// Format is the format of text content; nil is brief/v1.
	Format envelope.Dialect
	// Shell adds the tool shell, which runs a text with bash.
	Shell bool
	// Structured adds structured content to answers, and its schemas to tools, for
	// programs. Several clients show a model that in the place of the text: for "echo hi",
	// some 490 characters of JSON in the place of 12.
	Structured bool
	// Wait is how long a call waits for its command, which then continues as a job; 0
	// is DefaultWait.
	Wait time.Duration
	// Inline is up to how many bytes of output an answer contains in full; 0 is
	// DefaultInline.
	Inline int
	// Log receives errors outside of any call; nil discards them.
	Log *slog.Logger
}

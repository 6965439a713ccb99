package mcpserver

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/envwrap/envwrap/envelope"
)

// result makes the answer to a call of an envelope of protocol/v1: its text in
// the server's format, and links to the artifacts that it names. It is an error
// exactly where the envelope is one.
func (c *caller) result(ctx context.Context, doc []byte) (*mcp.CallToolResult, error) {
	protocol, _ := envelope.Lookup("protocol/v1")
	r, err := envelope.Decode(protocol, doc)
	if err != nil {
		return nil, err
	}
	if c.Format.IsText() {
		c.nameBinary(ctx, r)
	}
	text, err := envelope.Encode(c.Format, r, envelope.EncodeOptions{})
	if err != nil {
		return nil, err
	}
	result := &mcp.CallToolResult{IsError: protocol.Failed(r)}
	for _, block := range c.Format.Blocks(text) {
		if c.Format.IsText() {
			block = nameTools(block, r)
		}
		result.Content = append(result.Content, &mcp.TextContent{Text: block})
	}
	for _, s := range []struct {
		name   string
		stream *envelope.Stream
	}{{"stdout", &r.Stdout}, {"stderr", &r.Stderr}} {
		if s.stream.Artifact == "" {
			continue
		}
		size := s.stream.Bytes
		result.Content = append(result.Content, &mcp.ResourceLink{
			URI: resourceURI(s.stream.Artifact), Name: s.name, Size: &size, MIMEType: kindOf(s.stream),
			Description: fmt.Sprintf("all %d bytes of %s", size, s.name),
		})
	}
	return result, nil
}

// nameBinary has the streams that are no text, which the envelope has as base64 and a text does
// not show, name their artifact, if the job that ran the command has left it in the store.
func (c *caller) nameBinary(ctx context.Context, r *envelope.Result) {
	for _, s := range []*envelope.Stream{&r.Stdout, &r.Stderr} {
		if len(s.Binary) == 0 || s.Stored() != "" {
			continue
		}
		digest := fmt.Sprintf("sha256:%x", sha256.Sum256(s.Binary))
		if o, err := c.run(ctx, request{args: []string{"artifact", "stat", "--", digest}}); err == nil && o.status == 0 {
			s.Exact = digest
		}
	}
}

// argumentNames replaces options and command lines of envwrap in a hint by what a caller of
// tools has.
var argumentNames = strings.NewReplacer(
	"Raise --timeout, or run it in the background", "Raise timeout, or give wait 0 and ask the tool job",
	"Give --cwd a directory", "Give cwd a directory",
	"the path and --cwd", "the path and cwd",
	"Add --retries 3 to let envwrap wait for you", "Then call it again",
	"--retries 3 runs it again", "call it again",
	"give it --stdin null or a file, --non-interactive, or its own option", "give it stdin, or its own option",
	"give it a file with --stdin, or --stdin null", "give it stdin",
	"envwrap takes it as --env ", "give it in env: ",
	", before the --.", ".", ", before the --]", "]",
	": envwrap -- sh ", ": sh ",
	"envwrap job ls shows the jobs", "job with action list shows the jobs",
)

// nameTools returns a brief answer with the tools to call, and their arguments, in the place of
// command lines and options of envwrap.
func nameTools(text string, r *envelope.Result) string {
	if last := strings.LastIndexByte(strings.TrimSuffix(text, "\n"), '\n') + 1; r.Outcome.Hint != "" {
		text = text[:last] + argumentNames.Replace(text[last:])
	}
	if r.Jobs != nil {
		for i := range r.Jobs.List {
			id := r.Jobs.List[i].ID
			text = strings.Replace(text, "; envwrap job wait "+id+"]", fmt.Sprintf("; call job with action wait, id %s]", id), 1)
		}
		return text
	}
	const cat = ": envwrap artifact cat "
	last := strings.LastIndexByte(strings.TrimSuffix(text, "\n"), '\n') + 1
	before, rest, ok := strings.Cut(text[last:], cat)
	if !ok {
		return text
	}
	end := strings.IndexAny(rest, ";]")
	if end < 0 {
		return text
	}
	words := strings.Fields(rest[:end])
	call := ""
	switch {
	case len(words) == 1:
		call = "call read with id " + words[0]
	case len(words) == 3 && words[0] == "--lines":
		call = fmt.Sprintf("call read with id %s, lines %s", words[2], words[1])
	default:
		return text
	}
	return text[:last] + before + ": " + call + rest[end:]
}

// kindOf returns the MIME type of a stored stream.
func kindOf(s *envelope.Stream) string {
	if s.Summary == nil || s.Summary.Kind == "" {
		return "text/plain"
	}
	return s.Summary.Kind
}

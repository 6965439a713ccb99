package mcpserver

import (
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/envwrap/envwrap/envelope"
)

// result makes the answer to a call of an envelope of protocol/v1: its text in
// the server's format, and links to the artifacts that it names. It is an error
// exactly where the envelope is one.
func (c *caller) result(doc []byte) (*mcp.CallToolResult, error) {
	protocol, _ := envelope.Lookup("protocol/v1")
	r, err := envelope.Decode(protocol, doc)
	if err != nil {
		return nil, err
	}
	text, err := envelope.Encode(c.Format, r, envelope.EncodeOptions{})
	if err != nil {
		return nil, err
	}
	result := &mcp.CallToolResult{IsError: protocol.Failed(r)}
	for _, block := range c.Format.Blocks(text) {
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

// kindOf returns the MIME type of a stored stream.
func kindOf(s *envelope.Stream) string {
	if s.Summary == nil || s.Summary.Kind == "" {
		return "text/plain"
	}
	return s.Summary.Kind
}

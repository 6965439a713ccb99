package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// resourceScheme begins the URI of an artifact: envwrap://sha256/<64 hex>.
const resourceScheme = "envwrap://sha256/"

// resourceMost is the most bytes of an artifact that is read as a resource.
const resourceMost = 4 << 20

// resourceURI returns the URI of the artifact with a digest, sha256:<64 hex>.
func resourceURI(digest string) string {
	return resourceScheme + strings.TrimPrefix(digest, "sha256:")
}

// addResources offers every artifact of the store as a resource.
func addResources(s *mcp.Server, c *caller) {
	s.AddResourceTemplate(&mcp.ResourceTemplate{
		Name:        "artifact",
		Title:       "Stored output",
		URITemplate: resourceScheme + "{digest}",
		Description: "Output that an answer left out, whole, with secrets masked. The tool read shows parts of it.",
	}, c.readResource)
}

func (c *caller) readResource(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	digest, ok := strings.CutPrefix(req.Params.URI, resourceScheme)
	if !ok || len(digest) != 64 || strings.Trim(digest, "0123456789abcdef") != "" {
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	}
	o, err := c.run(ctx, request{args: []string{"artifact", "cat", "--", "sha256:" + digest}, most: resourceMost})
	switch {
	case errors.Is(err, errTooLarge):
		return nil, fmt.Errorf("%s has more than %d bytes: read parts of it with the tool read", req.Params.URI, resourceMost)
	case err != nil:
		return nil, err
	case o.status != 0 && len(o.stdout) == 0:
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	case o.status != 0:
		return nil, fmt.Errorf("%s: %s", req.Params.URI, c.complaint(ctx, o))
	}
	contents := &mcp.ResourceContents{URI: req.Params.URI}
	if utf8.Valid(o.stdout) {
		contents.Text, contents.MIMEType = string(o.stdout), "text/plain"
	} else {
		contents.Blob, contents.MIMEType = o.stdout, "application/octet-stream"
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{contents}}, nil
}

// Package mcpserver implements envwrap's server of the Model Context Protocol.
//
// Every call runs the envwrap program, so that commands, limits, the masking of secrets
// and the store are shared with the command line, and jobs survive the server. An answer
// is one envelope as text for a model (brief/v1) and, with Config.Structured, also as
// structured content for a program (protocol/v1). Output above Config.Inline is an excerpt,
// and a resource.
//
// The server has no allow-list: a client that may call run may run any program that its
// user could run. The client decides which calls are allowed.
//
// Source: Model Context Protocol, revisions 2025-06-18 to 2026-07-28, as the
// official Go SDK implements them.
package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/shared/errtext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Defaults of a [Config].
const (
	// DefaultWait is less than the 60 s after which several clients abandon a call.
	DefaultWait = 45 * time.Second
	// DefaultInline keeps an answer, which may contain its text twice, within what clients
	// show.
	DefaultInline = 8 << 10
)

// instructions say to a model when to use the server.
const instructions = `envwrap runs commands and answers with facts: how the command ended, an error code to branch on, ` +
	`what to do next, and the lines of a long output that matter. Secrets are masked. Nothing of an output is lost: ` +
	`the tool read shows what an answer leaves out. A command that takes long goes on as a job: the answer has its id for the tool job.`

// New returns a server. It serves any number of sessions at a time.
func New(c Config) (*mcp.Server, error) {
	return newServer(c, &mcp.ServerOptions{
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Resources: &mcp.ResourceCapabilities{}},
	})
}

// newServer makes a server with options of the SDK's.
func newServer(c Config, options *mcp.ServerOptions) (*mcp.Server, error) {
	if c.Program == "" {
		return nil, fmt.Errorf("serve MCP: the path of the envwrap program is missing")
	}
	if c.Wait == 0 {
		c.Wait = DefaultWait
	}
	if c.Inline == 0 {
		c.Inline = DefaultInline
	}
	if c.Format == nil {
		c.Format, _ = envelope.Lookup("brief/v1")
	}
	options.Instructions, options.Logger = instructions, c.Log
	s := mcp.NewServer(&mcp.Implementation{Name: "envwrap", Title: "envwrap", Version: c.Version}, options)
	addTools(s, &caller{c})
	addResources(s, &caller{c})
	s.AddReceivingMiddleware((&caller{c}).tellCaller, (&caller{c}).dropStructured, (&caller{c}).maskRefusals, nameArguments)
	return s, nil
}

// dropStructured takes the structured content out of answers, unless it was asked for.
func (c *caller) dropStructured(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		if called, ok := result.(*mcp.CallToolResult); ok && called != nil && !c.Structured {
			called.StructuredContent = nil
		}
		return result, err
	}
}

// maskRefusals masks the secrets in answers that envwrap did not make, and cuts
// long texts: such an answer may quote the arguments of the call that it refuses.
func (c *caller) maskRefusals(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		if refused, ok := result.(*mcp.CallToolResult); ok && err == nil && refused.IsError && refused.StructuredContent == nil {
			for _, content := range refused.Content {
				if block, ok := content.(*mcp.TextContent); ok {
					block.Text = errtext.Bound(c.masked(ctx, block.Text))
				}
			}
		}
		return result, c.maskError(ctx, err)
	}
}

// maskError masks the secrets in an error that the protocol answers with, and cuts what
// is long.
func (c *caller) maskError(ctx context.Context, err error) error {
	wire, ok := errors.AsType[*jsonrpc.Error](err)
	if !ok {
		return err
	}
	short := *wire
	short.Message = c.masked(ctx, wire.Message)
	if data := string(wire.Data); data != "" && c.masked(ctx, data) != data {
		short.Data = nil
	}
	return bound(&short)
}

// bound cuts the long texts of an error of the protocol. It leaves out data that are longer
// than a value.
func bound(err error) error {
	wire, ok := errors.AsType[*jsonrpc.Error](err)
	if !ok {
		return err
	}
	short := *wire
	short.Message = errtext.Bound(wire.Message)
	if len(wire.Data) > errtext.MaxValue {
		short.Data = nil
	}
	return &short
}

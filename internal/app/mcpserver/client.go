package mcpserver

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/envwrap/envwrap/detect"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/toolanswer"
)

// callerKey is the key of a [toolanswer.Caller] in the context of a call.
type callerKey struct{}

// tellCaller passes the client and the ids of a call on to the envwrap that runs for it.
func (c *caller) tellCaller(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if call, ok := req.(*mcp.CallToolRequest); ok {
			ctx = context.WithValue(ctx, callerKey{}, clientOf(call))
		}
		return next(ctx, method, req)
	}
}

// clientOf returns the agent that the client of a call is, and the ids in its request.
func clientOf(req *mcp.CallToolRequest) (client toolanswer.Caller) {
	if info := req.ClientInfo(); info != nil {
		client.Agent = detect.ClientOf(info.Name)
	}
	client.Session, client.Call = detect.CallOf(client.Agent, func(name string) (string, bool) {
		text, ok := req.Params.Meta[name].(string)
		return text, ok
	})
	return client
}

// callerIn returns the caller in the context of a call, with the format that its model reads.
func (c *caller) callerIn(ctx context.Context) toolanswer.Caller {
	client, _ := ctx.Value(callerKey{}).(toolanswer.Caller) // of other requests nothing is known
	client.Format = c.Format
	if c.Structured {
		client.Format, _ = envelope.Lookup("protocol/v1")
	}
	return client
}

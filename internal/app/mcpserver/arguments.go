package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// misnamed are names that models give to arguments of tools, and what they mean.
var misnamed = [...]struct {
	tool  string
	names []string
	right string
	like  string // an example; %s is the words of the wrong argument, as JSON
}{
	{"run", []string{"command", "cmd", "args", "program", "commandLine"}, "argv", `a list with the program first: {"argv":%s}. It knows no pipes, globs or variables`},
	{"shell", []string{"cmd", "script", "text", "argv", "args"}, "command", `a text for bash: {"command":"ls | wc -l"}`},
	{"read", []string{"digest", "artifact", "uri", "path", "file"}, "id", `a digest or last: {"id":"last"}`},
	{"job", []string{"job", "job_id", "jobId"}, "id", `the job's id: {"action":"wait","id":"01..."}`},
	{"explain", []string{"command", "cmd", "program"}, "argv", `a list with the program first: {"argv":["curl"],"status":22}`},
}

// nameArguments answers a call that has an argument of another name with the right one,
// where the schema would only say that there is no such argument.
func nameArguments(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if call, ok := req.(*mcp.CallToolRequest); ok {
			if text := wrongArgument(call.Params.Name, call.Params.Arguments); text != "" {
				return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
			}
		}
		return next(ctx, method, req)
	}
}

// wrongArgument returns a text that names the right argument for a wrong one in a call of
// a tool, or "" if no argument has a wrong name that it knows.
func wrongArgument(tool string, raw json.RawMessage) string {
	var arguments map[string]json.RawMessage
	if json.Unmarshal(raw, &arguments) != nil {
		return ""
	}
	for _, m := range misnamed {
		if _, has := arguments[m.right]; m.tool != tool || has {
			continue
		}
		for name, value := range arguments {
			if slices.Contains(m.names, name) {
				like := m.like
				if strings.Contains(like, "%s") {
					like = fmt.Sprintf(like, wordsOf(value))
				}
				return fmt.Sprintf("%s has no argument %q. Give %s, %s.", tool, name, m.right, like)
			}
		}
	}
	return ""
}

// wordsOf returns the words of an argument as a JSON list.
func wordsOf(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		words := strings.Fields(text)
		if len(words) == 0 || len(text) > 200 || strings.ContainsAny(text, "'\"`$|&;<>()*?[\\\n") {
			words = []string{"git", "status"}
		}
		list, _ := json.Marshal(words) // strings always have a form
		return string(list)
	}
	var list []string
	if json.Unmarshal(value, &list) == nil && len(list) > 0 && len(value) < 200 {
		return string(value)
	}
	return `["git","status"]`
}

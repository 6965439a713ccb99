package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// misnamed are names that models give to arguments of tools, and what they mean.
var misnamed = [...]struct {
	tool  string
	names []string
	right string
	like  string // an example; %s is the words of the wrong argument, as JSON
}{
	{"run", []string{"command", "cmd", "args", "program", "commandLine", "shell", "script", "text", "code"}, "argv", `a list with the program first: {"argv":%s}. It knows no pipes, globs or variables`},
	{"shell", []string{"cmd", "script", "text", "argv", "args", "shell", "code"}, "command", `a text for bash: {"command":"ls | wc -l"}`},
	{"read", []string{"digest", "artifact", "uri", "path", "file"}, "id", `a digest or last: {"id":"last"}`},
	{"job", []string{"job", "job_id", "jobId"}, "id", `the job's id: {"action":"wait","id":"01..."}`},
	{"explain", []string{"command", "cmd", "program"}, "argv", `a list with the program first: {"argv":["curl"],"status":22}`},
}

// required are the arguments without which a tool cannot be called, and an example.
var required = map[string]struct{ name, like string }{
	"run":   {"argv", `a list with the program first: {"argv":["git","status"]}`},
	"shell": {"command", `a text for bash: {"command":"ls | wc -l"}`},
	"read":  {"id", `a digest or last: {"id":"last"}`},
	"job":   {"action", `one of status, wait, tail, cancel and list: {"action":"list"}`},
}

// nameArguments answers a call whose arguments are missing, or have another name or type, with
// the right ones, where the schema would only name the fault.
func nameArguments(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		call, ok := req.(*mcp.CallToolRequest)
		if !ok {
			return next(ctx, method, req)
		}
		if text := wrongArgument(call.Params.Name, call.Params.Arguments); text != "" {
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
		}
		answer, err := next(ctx, method, req)
		if result, ok := answer.(*mcp.CallToolResult); ok && err == nil && result.IsError && len(result.Content) == 1 {
			if block, ok := result.Content[0].(*mcp.TextContent); ok && strings.HasPrefix(block.Text, validating) {
				block.Text = strings.ReplaceAll(strings.TrimPrefix(block.Text, validating), "validating ", "")
				if strings.HasPrefix(block.Text, unexpected) {
					block.Text += ": " + call.Params.Name + " has " + strings.Join(argumentsOf(call.Params.Name), ", ")
				}
			}
		}
		return answer, err
	}
}

// The beginnings of the SDK's texts about an argument that has the wrong form, and, after that one,
// about names that the schema does not have.
const (
	validating = `validating "arguments": validating root: `
	unexpected = "unexpected additional properties"
)

// argumentsOf returns the names of a tool's arguments, sorted.
func argumentsOf(tool string) []string {
	var schema struct{ Properties map[string]any }
	if json.Unmarshal([]byte(argumentSchemas[tool]), &schema) != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(schema.Properties))
}

// wrongArgument returns a text that names the right argument in a call of a tool for a missing or
// wrong one, or "" if it knows of none.
func wrongArgument(tool string, raw json.RawMessage) string {
	var arguments map[string]json.RawMessage
	if len(raw) > 0 && json.Unmarshal(raw, &arguments) != nil {
		return ""
	}
	for _, m := range misnamed {
		if _, has := arguments[m.right]; m.tool != tool || has {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(arguments)) {
			if slices.Contains(m.names, name) {
				like := m.like
				if strings.Contains(like, "%s") {
					like = fmt.Sprintf(like, wordsOf(arguments[name]))
				}
				return fmt.Sprintf("%s has no argument %q. Give %s, %s.", tool, name, m.right, like)
			}
		}
	}
	if need, ok := required[tool]; ok && arguments[need.name] == nil {
		return fmt.Sprintf("%s needs %s, %s.", tool, need.name, need.like)
	}
	if words := arguments["argv"]; words != nil && (tool == "run" || tool == "explain") && !isArgv(words) {
		return fmt.Sprintf(`argv is a list with the program first: {"argv":%s}.`, wordsOf(words))
	}
	return ""
}

// isArgv reports whether a JSON value is a list of strings that is not empty.
func isArgv(value json.RawMessage) bool {
	var words []*string
	return json.Unmarshal(value, &words) == nil && len(words) > 0 && !slices.Contains(words, nil)
}

// wordsOf returns the words of an argument as a JSON list. A text for a shell is one word of
// bash.
func wordsOf(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil && strings.TrimSpace(text) != "" && len(text) <= 200 {
		words := strings.Fields(text)
		if strings.ContainsAny(text, "'\"`$|&;<>()*?[\\\n") {
			words = []string{"bash", "-c", text}
		}
		list := []byte("[")
		for i, word := range words {
			if i > 0 {
				list = append(list, ',')
			}
			list = jsontext.AppendString(list, word)
		}
		return string(append(list, ']'))
	}
	if isArgv(value) && len(value) < 200 {
		return string(value)
	}
	return `["git","status"]`
}

package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/envwrap/envwrap/envelope"
)

type jobInput struct {
	Action  string `json:"action"`
	ID      string `json:"id"`
	Timeout *span  `json:"timeout"`
}

// jobVerbs are the verbs of envwrap that the actions of the tool job call.
var jobVerbs = map[string]string{"status": "status", "wait": "wait", "tail": "tail", "cancel": "cancel", "list": "ls"}

func (c *caller) jobTool(ctx context.Context, req *mcp.CallToolRequest, in jobInput) ([]byte, error) {
	if in.ID == "" && in.Action != "list" {
		return nil, fmt.Errorf("job %s needs id: the tool job with action list shows the ids", in.Action)
	}
	args := []string{"job", jobVerbs[in.Action], "--format", "protocol/v1", "--compact"}
	if in.Action == "wait" {
		wait := c.Wait
		if in.Timeout != nil {
			wait = min(wait, time.Duration(*in.Timeout))
		}
		args = append(args, "--timeout", wait.String())
		defer c.progress(ctx, req)()
	}
	if in.Action == "tail" {
		args = append(args, "--json")
	}
	if in.ID != "" {
		args = append(args, "--", in.ID)
	}
	return c.envelope(ctx, request{args: args})
}

type readInput struct {
	ID    string `json:"id"`
	Lines string `json:"lines"`
	Head  int    `json:"head"`
	Tail  int    `json:"tail"`
	Grep  string `json:"grep"`
	Query string `json:"query"`
}

// readMost is the most bytes of text that one call of read answers with.
const readMost = 64 << 10

// verb returns the verb of envwrap artifact that reads what was asked for.
func (in *readInput) verb() ([]string, error) {
	var found [][]string
	for _, way := range []struct {
		asked bool
		args  []string
	}{
		{in.Lines != "", []string{"cat", "--lines", in.Lines, "--", in.ID}},
		{in.Head > 0, []string{"head", "-n", strconv.Itoa(in.Head), "--", in.ID}},
		{in.Tail > 0, []string{"tail", "-n", strconv.Itoa(in.Tail), "--", in.ID}},
		{in.Grep != "", []string{"grep", "--", in.Grep, in.ID}},
		{in.Query != "", []string{"query", "--", in.Query, in.ID}},
	} {
		if way.asked {
			found = append(found, way.args)
		}
	}
	switch len(found) {
	case 0:
		return []string{"show", "--", in.ID}, nil
	case 1:
		return found[0], nil
	}
	return nil, errors.New("give one of lines, head, tail, grep and query")
}

func (c *caller) readTool(ctx context.Context, _ *mcp.CallToolRequest, in readInput) (*mcp.CallToolResult, any, error) {
	verb, err := in.verb()
	if err != nil {
		return nil, nil, err
	}
	o, err := c.run(ctx, request{args: append([]string{"artifact"}, verb...), most: readMost})
	text := envelope.Guard(strings.ToValidUTF8(string(o.stdout), "\ufffd"), "[cut after ", "[no line matches]")
	switch {
	case errors.Is(err, errTooLarge):
		text += fmt.Sprintf("\n[cut after %d bytes: ask for fewer lines]\n", readMost)
	case err != nil:
		return nil, nil, err
	}
	said := c.complaint(ctx, o)
	switch {
	case said != "" && text == "" && o.status != 0:
		return nil, nil, errors.New(said)
	case said != "":
		text = strings.TrimPrefix(strings.TrimSuffix(text, "\n")+"\n["+said+"]\n", "\n")
	case text == "" && in.Grep != "":
		text = "[no line matches]\n"
	}
	result := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: said != "" && o.status != 0}
	return result, map[string]string{"text": text}, nil
}

type explainInput struct {
	Code   string   `json:"code"`
	Argv   []string `json:"argv"`
	Status *int     `json:"status"`
}

func (c *caller) explainTool(ctx context.Context, _ *mcp.CallToolRequest, in explainInput) (*mcp.CallToolResult, any, error) {
	words := in.Argv
	switch {
	case in.Code != "" && len(in.Argv) > 0:
		return nil, nil, errors.New("give code, or argv and status")
	case in.Code != "":
		words = []string{in.Code}
	case in.Status != nil:
		words = append(words, strconv.Itoa(*in.Status))
	}
	text, err := c.run(ctx, request{args: append([]string{"explain", "--"}, words...)})
	if err != nil {
		return nil, nil, err
	}
	if len(text.stdout) == 0 {
		return nil, nil, errors.New(strings.TrimPrefix(text.stderr, "envwrap: "))
	}
	facts, err := c.run(ctx, request{args: append([]string{"explain", "--json", "--"}, words...)})
	if err != nil {
		return nil, nil, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(text.stdout)}}}, json.RawMessage(facts.stdout), nil
}

package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addTools offers the tools. Their descriptions are all that a model knows of
// them.
func addTools(s *mcp.Server, c *caller) {
	mcp.AddTool(s, &mcp.Tool{
		Name:  "run",
		Title: "Run a command",
		Description: "Run one program and get how it ended: exit status, error code, outcome, what to do next, and its output with the lines that matter " +
			"(long output is an excerpt; read shows the rest). argv is a list, the program first; no shell is involved, so no pipes, globs or variables. " +
			"A command that takes longer than wait goes on as a job, and the answer has the job's id.",
		InputSchema:  json.RawMessage(argumentSchemas["run"]),
		OutputSchema: c.schema(envelopeSchema),
		Annotations:  &mcp.ToolAnnotations{Title: "Run a command"},
	}, answer(c, c.runTool))
	if c.Shell {
		mcp.AddTool(s, &mcp.Tool{
			Name:  "shell",
			Title: "Run a shell text",
			Description: "Run a text by bash -c, with pipes, globs and variables. If an early stage of a pipeline fails, the answer says so, " +
				"although bash itself reports only the last stage. Everything else is as with run.",
			InputSchema:  json.RawMessage(argumentSchemas["shell"]),
			OutputSchema: c.schema(envelopeSchema),
			Annotations:  &mcp.ToolAnnotations{Title: "Run a shell text"},
		}, answer(c, c.shellTool))
	}
	closed := false
	mcp.AddTool(s, &mcp.Tool{
		Name:  "job",
		Title: "Look after a job",
		Description: "Commands that go on in the background. action wait waits for the job's end (up to timeout) and answers as run does; " +
			"status says how far it is; tail shows what it has printed so far; cancel stops it; list shows all jobs. All but list need id.",
		InputSchema:  json.RawMessage(argumentSchemas["job"]),
		OutputSchema: c.schema(envelopeSchema),
		Annotations:  &mcp.ToolAnnotations{Title: "Look after a job", OpenWorldHint: &closed},
	}, answer(c, c.jobTool))
	mcp.AddTool(s, &mcp.Tool{
		Name:  "read",
		Title: "Read stored output",
		Description: "Read output that an answer left out. id is a digest (sha256:... or its first digits), last (stdout of the last run) or last:stderr. " +
			"Give one of lines (\"118:529\"), head, tail (numbers of lines), grep (a regular expression) or query (the jq language, for JSON); " +
			"with none of them it shows an excerpt.",
		InputSchema:  json.RawMessage(argumentSchemas["read"]),
		OutputSchema: c.schema(textSchema),
		Annotations:  &mcp.ToolAnnotations{Title: "Read stored output", ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed},
	}, c.readTool)
	mcp.AddTool(s, &mcp.Tool{
		Name:  "explain",
		Title: "Explain a code or status",
		Description: "Say what an error code of an envelope (code: \"ERATELIMIT\") or an exit status of a program (argv: [\"rsync\"], status: 23) means, " +
			"whether to try again, and where that is documented.",
		InputSchema:  json.RawMessage(argumentSchemas["explain"]),
		OutputSchema: c.schema(`{"type":"object"}`),
		Annotations:  &mcp.ToolAnnotations{Title: "Explain a code or status", ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed},
	}, c.explainTool)
}

// schema returns a tool's schema of structured content, nil if none exists.
func (c *caller) schema(text string) any {
	if !c.Structured {
		return nil
	}
	return json.RawMessage(text)
}

// Schemas of arguments and answers are JSON Schema 2020-12, for models: short,
// with the unit in each description. timeout and wait take seconds or "5m".
const (
	commandProperties = `"cwd":{"type":"string","description":"directory to run in; default: the server's"},
"env":{"type":"object","additionalProperties":{"type":"string"},"description":"more environment variables"},
"stdin":{"type":"string","description":"text for standard input; default: none"},
"timeout":{"type":["number","string"],"description":"stop the command after this many seconds, or a duration such as 5m; default: no limit"},
"wait":{"type":["number","string"],"description":"seconds to wait before the command goes on as a job; 0 answers at once; default: the server's, 45"},
"cache":{"type":["number","string"],"description":"answer from the same run if it is younger than this many seconds; default: never"}`

	envelopeSchema = `{"type":"object","required":["version","status","command","data","meta","error"],"properties":{
"version":{"const":1},"status":{"enum":["ok","error"]},"command":{"type":"string"},
"data":{"type":"object","description":"exit_code, outcome, stdout, stderr; or job"},
"meta":{"type":"object"},
"error":{"type":"object","properties":{"code":{"type":["string","null"]},"message":{"type":["string","null"]}}}}}`

	textSchema = `{"type":"object","required":["text"],"properties":{"text":{"type":"string"}}}`
)

// argumentSchemas are the schemas of the tools' arguments, by name.
var argumentSchemas = map[string]string{
	"run": `{"type":"object","required":["argv"],"additionalProperties":false,"properties":{
"argv":{"type":"array","minItems":1,"items":{"type":"string"},"description":"program and arguments, one each: [\"git\",\"status\"]"},` + commandProperties + `}}`,
	"shell": `{"type":"object","required":["command"],"additionalProperties":false,"properties":{
"command":{"type":"string","minLength":1,"description":"text for bash -c"},` + commandProperties + `}}`,
	"job": `{"type":"object","required":["action"],"additionalProperties":false,"properties":{
"action":{"enum":["status","wait","tail","cancel","list"],"description":"what to do"},
"id":{"type":"string","description":"the job's id, or its first characters"},
"timeout":{"type":["number","string"],"description":"for wait: most seconds to wait; default: the server's, 45"}}}`,
	"read": `{"type":"object","required":["id"],"additionalProperties":false,"properties":{
"id":{"type":"string","description":"digest, last, or last:stderr"},
"lines":{"type":"string","pattern":"^[0-9]+:[0-9]+$","description":"first and last line, counted from 1"},
"head":{"type":"integer","minimum":1,"description":"this many lines from the beginning"},
"tail":{"type":"integer","minimum":1,"description":"this many lines from the end"},
"grep":{"type":"string","minLength":1,"description":"lines that match this regular expression (RE2)"},
"query":{"type":"string","minLength":1,"description":"jq program for a JSON artifact"}}}`,
	"explain": `{"type":"object","additionalProperties":false,"properties":{
"code":{"type":"string","description":"error code of an envelope"},
"argv":{"type":"array","minItems":1,"items":{"type":"string"},"description":"program, and arguments where they matter"},
"status":{"type":"integer","minimum":0,"maximum":255,"description":"exit status of the program"}}}`,
}

// answer makes a tool of a function that returns an envelope of protocol/v1.
func answer[In any](c *caller, call func(ctx context.Context, req *mcp.CallToolRequest, in In) ([]byte, error)) mcp.ToolHandlerFor[In, any] {
	return func(ctx context.Context, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		doc, err := call(ctx, req, in)
		if err != nil {
			return nil, nil, err
		}
		result, err := c.result(ctx, doc)
		if err != nil {
			return nil, nil, fmt.Errorf("read envwrap's answer: %w", err)
		}
		result.StructuredContent = json.RawMessage(doc) // as it is: numbers keep their spelling
		return result, nil, nil
	}
}

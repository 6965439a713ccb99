package mcpserver_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Without --structured a model reads the text and pays for nothing else, and the text names
// tools, not command lines.
func TestTextOnly(t *testing.T) {
	c := config(t)
	c.Shell, c.Structured = true, false
	s := connect(t, c, nil)
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.Tools {
		if tool.OutputSchema != nil {
			t.Errorf("%s has a schema of structured content", tool.Name)
		}
	}
	for _, x := range []struct {
		tool    string
		args    map[string]any
		isError bool
		want    string
	}{
		{"run", map[string]any{"argv": []string{"echo", "hi"}}, false, "hi\n[exit 0]\n"},
		{"run", map[string]any{"argv": []string{"sh", "-c", "exit 3"}}, true, "[exit 3 ERUNTIME failure"},
		{"run", map[string]any{"argv": []string{"seq", "20000"}}, false, " of 20,000 lines left out"},
		{"run", map[string]any{"argv": []string{"seq", "20000"}}, false, ": call read with id "},
		{"run", map[string]any{"argv": []string{"sh", "-c", "true"}, "wait": 0}, false, "; call job with action wait, id "},
		{"run", map[string]any{"command": "ls -l"}, true, `run has no argument "command". Give argv, a list with the program first: {"argv":["ls","-l"]}`},
		{"run", map[string]any{"command": "ls | wc"}, true, `{"argv":["bash","-c","ls | wc"]}`},
		{"run", map[string]any{"script": "a > b"}, true, `run has no argument "script". Give argv, a list with the program first: {"argv":["bash","-c","a > b"]}`},
		{"run", map[string]any{"argv": "ls -l"}, true, `argv is a list with the program first: {"argv":["ls","-l"]}.`},
		{"run", map[string]any{"argv": []string{}}, true, `argv is a list with the program first: {"argv":["git","status"]}.`},
		{"run", map[string]any{"argv": nil}, true, `argv is a list with the program first: {"argv":["git","status"]}.`},
		{"run", map[string]any{"argv": []any{"ls", nil}}, true, `argv is a list with the program first: {"argv":["git","status"]}.`},
		{"run", map[string]any{"argv": []any{"head", 3}}, true, `argv is a list with the program first: {"argv":["git","status"]}.`},
		{"run", map[string]any{"argv": map[string]any{}}, true, `argv is a list with the program first: {"argv":["git","status"]}.`},
		{"explain", map[string]any{"argv": []string{}, "status": 1}, true, `argv is a list with the program first: `},
		{"run", map[string]any{}, true, `run needs argv, a list with the program first: {"argv":["git","status"]}.`},
		{"job", map[string]any{}, true, "job needs action, one of status, "},
		{"run", map[string]any{"argv": []string{"ls"}, "color": 1}, true, `unexpected additional properties ["color"]: run has argv, cache, cwd, env, stdin, timeout, wait`},
		{"run", map[string]any{"argv": []string{"sleep", "9"}, "timeout": ".1s"}, true, "; Raise timeout, or give wait 0 and ask the tool job]"},
		{"run", map[string]any{"argv": []string{"ls"}, "cwd": "/nowhere"}, true, "; Give cwd a directory that exists]"},
		{"run", map[string]any{"argv": []string{"cd", "x"}}, true, `is a word of the shell, no program: sh -c 'cd ...'`},
		{"job", map[string]any{"action": "wait", "id": "01nope"}, true, "; job with action list shows the jobs"},
		{"run", map[string]any{"cmd": []string{"ls", "-l"}}, true, `{"argv":["ls","-l"]}`},
		{"shell", map[string]any{"script": "ls"}, true, `shell has no argument "script". Give command`},
		{"read", map[string]any{"id": "x"}, true, "64 hexadecimal digits"},
		{"read", map[string]any{"digest": "x"}, true, "Give id"},
		{"job", map[string]any{"action": "wait", "job_id": "x"}, true, "Give id"},
		{"explain", map[string]any{"code": "EAUTH"}, false, "EAUTH"},
		{"read", map[string]any{"id": "last", "head": 1}, false, "1\n"},
	} {
		result, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: x.tool, Arguments: x.args})
		if err != nil {
			t.Errorf("%s %v: %v", x.tool, x.args, err)
			continue
		}
		var text strings.Builder
		for _, content := range result.Content {
			if block, ok := content.(*mcp.TextContent); ok {
				text.WriteString(block.Text)
			}
		}
		if result.IsError != x.isError || !strings.Contains(text.String(), x.want) || result.StructuredContent != nil || regexp.MustCompile("envwrap (job|help|--)|validating|--timeout|--cwd").MatchString(text.String()) {
			t.Errorf("%s %v: error %t, structured %v, %.300q; want %t, %q", x.tool, x.args, result.IsError, result.StructuredContent, text.String(), x.isError, x.want)
		}
	}
}

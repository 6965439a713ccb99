//nolint:sa1019 // sampling, logging and roots are deprecated, and belong to what is checked
package mcpserver

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// NewConformance returns the server of c with the tools, prompts and resources
// that the official conformance suite calls (requirements 2025-11-25 and
// 2026-07-28). Their names, keys and texts are the suite's. It is a part of the
// test program only; .ci/mcp runs it.
func NewConformance(c Config) (*mcp.Server, error) {
	s, err := newServer(c, &mcp.ServerOptions{
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
		CompletionHandler: func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}, nil
		},
	})
	if err != nil {
		return nil, err
	}
	for name, content := range suiteContents {
		suiteTool(s, name, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: content}, nil
		})
	}
	for name, tool := range suiteTools {
		suiteTool(s, name, tool)
	}
	s.AddTool(&mcp.Tool{Name: "json_schema_2020_12_tool", Description: "for the conformance suite", InputSchema: json.RawMessage(suiteSchema)}, say)
	s.AddTool(&mcp.Tool{Name: "test_x_mcp_header", Description: "for the conformance suite", InputSchema: json.RawMessage(suiteHeader)}, say)
	for name, inputs := range suiteInputs {
		suiteTool(s, name, inputs.call)
	}
	suiteTool(s, "test_trigger_tool_change", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		suiteTool(s, "test_changed", say)
		return text("changed"), nil
	})
	suiteTool(s, "test_trigger_prompt_change", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		suitePrompt(s, &mcp.Prompt{Name: "test_changed", Description: "changed"}, &mcp.TextContent{Text: "changed"})
		return text("changed"), nil
	})
	addSuitePrompts(s)
	addSuiteResources(s)
	return s, nil
}

// suiteSchema is the schema of a tool of the suite: its keywords have to reach a client
// as they are.
const suiteSchema = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "additionalProperties": false,
	"$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
	"properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}, "contactMethod": {"type": "string", "enum": ["phone", "email"]},
		"phone": {"type": "string"}, "email": {"type": "string"}},
	"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
	"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
	"then": {"required": ["phone"]}, "else": {"required": ["email"]}
}`

// suiteHeader is the schema of a tool whose argument is also a header of the request, which
// the server compares with it.
const suiteHeader = `{"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}, "required": ["region"]}`

// suiteTool adds a tool that takes any arguments.
func suiteTool(s *mcp.Server, name string, call mcp.ToolHandler) {
	s.AddTool(&mcp.Tool{Name: name, Description: "for the conformance suite", InputSchema: json.RawMessage(`{"type":"object"}`)}, call)
}

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}

func say(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return text("said"), nil
}

// pixel is an image in the PNG format.
func pixel() []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		panic(err) // a buffer takes everything
	}
	return b.Bytes()
}

// silence is one sample in the WAV format: mono, 8000 Hz, 8 bits.
const silence = "RIFF\x25\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00data\x01\x00\x00\x00\x80"

func embedded(uri string) *mcp.EmbeddedResource {
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, MIMEType: "text/plain", Text: "embedded"}}
}

// suiteContents are the tools whose answer is always the same.
var suiteContents = map[string][]mcp.Content{
	"test_simple_text":       {&mcp.TextContent{Text: "This is a simple text response for testing."}},
	"test_image_content":     {&mcp.ImageContent{Data: pixel(), MIMEType: "image/png"}},
	"test_audio_content":     {&mcp.AudioContent{Data: []byte(silence), MIMEType: "audio/wav"}},
	"test_embedded_resource": {embedded("test://embedded-resource")},
	"test_multiple_content_types": {
		&mcp.TextContent{Text: "Multiple content types test:"},
		&mcp.ImageContent{Data: pixel(), MIMEType: "image/png"},
		embedded("test://mixed-content-resource"),
	},
}

// suiteTools are the tools that do something.
var suiteTools = map[string]mcp.ToolHandler{
	"test_streaming_elicitation": say,
	"test_error_handling": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		result := text("This tool intentionally returns an error for testing")
		result.IsError = true
		return result, nil
	},
	"test_tool_with_progress": func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for _, done := range []float64{0, 50, 100} {
			if err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: req.Params.GetProgressToken(), Progress: done, Total: 100, Message: fmt.Sprint(done),
			}); err != nil {
				return nil, err
			}
		}
		return text("done"), nil
	},
	"test_logging_tool":      suiteLog,
	"test_tool_with_logging": suiteLog,
	"test_sampling": func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		prompt, _ := arguments(req)["prompt"].(string)
		answer, err := req.Session.CreateMessage(ctx, sampling(prompt))
		if err != nil {
			return nil, err
		}
		said, _ := answer.Content.(*mcp.TextContent)
		return text(fmt.Sprintf("LLM response: %s", said.Text)), nil
	},
	"test_elicitation": func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		message, _ := arguments(req)["message"].(string)
		return elicit(ctx, req, message, `{"type":"object","required":["username","email"],"properties":{
			"username":{"type":"string","description":"User's response"},"email":{"type":"string","description":"User's email address"}}}`)
	},
	"test_elicitation_sep1034_defaults": func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return elicit(ctx, req, "defaults", `{"type":"object","properties":{
			"name":{"type":"string","default":"John Doe"},"age":{"type":"integer","default":30},
			"score":{"type":"number","default":95.5},"verified":{"type":"boolean","default":true},
			"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"}}}`)
	},
	"test_elicitation_sep1330_enums": func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return elicit(ctx, req, "enums", `{"type":"object","properties":{
			"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
			"titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},
			"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},
			"untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},
			"titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},{"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}}}`)
	},
	"test_missing_capability": func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if caps := req.ClientCapabilities(); caps != nil && caps.Sampling != nil {
			return text("sampling is there"), nil
		}
		return nil, &jsonrpc.Error{
			Code: mcp.CodeMissingRequiredClientCapabilities, Message: "sampling is required",
			Data: json.RawMessage(`{"requiredCapabilities":{"sampling":{}}}`),
		}
	},
	"test_input_required_result_multi_round": func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		round := 1
		if req.Params.RequestState != "" {
			if !signed(req.Params.RequestState) {
				return nil, errState
			}
			if _, err := fmt.Sscanf(req.Params.RequestState, "round %d", &round); err != nil {
				return nil, errState
			}
			round++
		}
		if round > 2 {
			return text("both rounds are over"), nil
		}
		key := fmt.Sprintf("step%d", round)
		return &mcp.CallToolResult{
			RequestState:  sign(fmt.Sprintf("round %d", round)),
			InputRequests: mcp.InputRequestMap{key: question("answer")},
		}, nil
	},
	"test_input_required_result_capabilities": func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		asked := mcp.InputRequestMap{}
		if caps := req.ClientCapabilities(); caps != nil {
			if caps.Elicitation != nil {
				asked["user_name"] = question("name")
			}
			if caps.Sampling != nil {
				asked["greeting"] = sampling("Greet.")
			}
		}
		if len(asked) == 0 || len(req.Params.InputResponses) > 0 {
			return text("enough"), nil
		}
		return &mcp.CallToolResult{InputRequests: asked}, nil
	},
}

func suiteLog(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	for range 3 {
		if err := req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: "logged"}); err != nil {
			return nil, err
		}
	}
	return text("logged"), nil
}

// arguments returns the arguments of a call, which may be missing.
func arguments(req *mcp.CallToolRequest) (args map[string]any) {
	_ = json.Unmarshal(req.Params.Arguments, &args)
	return args
}

func elicit(ctx context.Context, req *mcp.CallToolRequest, message, schema string) (*mcp.CallToolResult, error) {
	answer, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: message, RequestedSchema: json.RawMessage(schema)})
	if err != nil {
		return nil, err
	}
	return text(fmt.Sprintf("User response: action=%s, content=%v", answer.Action, answer.Content)), nil
}

// sampling asks the client's model.
func sampling(prompt string) *mcp.CreateMessageParams {
	return &mcp.CreateMessageParams{MaxTokens: 100, Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: prompt}}}}
}

// question asks the user for one text.
func question(field string) *mcp.ElicitParams {
	return &mcp.ElicitParams{
		Message:         "What is your " + field + "?",
		RequestedSchema: json.RawMessage(fmt.Sprintf(`{"type":"object","required":[%[1]q],"properties":{%[1]q:{"type":"string"}}}`, field)),
	}
}

// inputs is a tool that asks until it has all answers; it keeps nothing but
// what the client sends back.
type inputs struct {
	asked mcp.InputRequestMap
	state string
}

var suiteInputs = map[string]inputs{
	"test_input_required_result_elicitation":    {asked: mcp.InputRequestMap{"user_name": question("name")}},
	"test_input_required_result_sampling":       {asked: mcp.InputRequestMap{"capital_question": sampling("What is the capital of France?")}},
	"test_input_required_result_list_roots":     {asked: mcp.InputRequestMap{"client_roots": &mcp.ListRootsParams{}}},
	"test_input_required_result_request_state":  {asked: mcp.InputRequestMap{"confirm": question("ok")}, state: "begun"},
	"test_input_required_result_tampered_state": {asked: mcp.InputRequestMap{"confirm": question("ok")}, state: "begun"},
	"test_input_required_result_multiple_inputs": {
		asked: mcp.InputRequestMap{
			"user_name": question("name"), "greeting": sampling("Greet."), "client_roots": &mcp.ListRootsParams{},
		},
		state: "begun",
	},
}

func (in inputs) call(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if req.Params.RequestState != "" && !signed(req.Params.RequestState) {
		return nil, errState
	}
	said := "state-ok:"
	for key, asked := range in.asked {
		answer, ok := req.Params.InputResponses[key]
		if form, elicited := answer.(*mcp.ElicitResult); elicited {
			ok = form.Action == "accept" && len(form.Content) > 0
			said = fmt.Sprint(said, " ", form.Content)
		} else if _, elicited := asked.(*mcp.ElicitParams); elicited {
			ok = false
		}
		if !ok {
			result := &mcp.CallToolResult{InputRequests: in.asked}
			if in.state != "" {
				result.RequestState = sign(in.state)
			}
			return result, nil
		}
	}
	return text(said), nil
}

var errState = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "requestState is not this server's"}

// sign appends a signature to a state, which the client sends back.
func sign(state string) string {
	mac := hmac.New(sha256.New, []byte("of this test"))
	mac.Write([]byte(state))
	return state + "." + hex.EncodeToString(mac.Sum(nil))
}

func signed(state string) bool {
	before, _, _ := strings.Cut(state, ".")
	return hmac.Equal([]byte(sign(before)), []byte(state))
}

// suitePrompt adds a prompt of one message, in which %NAME% stands for an
// argument.
func suitePrompt(s *mcp.Server, prompt *mcp.Prompt, content mcp.Content) {
	s.AddPrompt(prompt, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		switch c := content.(type) {
		case *mcp.TextContent:
			said := c.Text
			for name, value := range req.Params.Arguments {
				said = strings.ReplaceAll(said, "%"+name+"%", value)
			}
			return message(&mcp.TextContent{Text: said}), nil
		case *mcp.EmbeddedResource:
			return message(embedded(req.Params.Arguments["resourceUri"])), nil
		}
		return message(content), nil
	})
}

func message(content mcp.Content) *mcp.GetPromptResult {
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: content}}}
}

func addSuitePrompts(s *mcp.Server) {
	suitePrompt(s, &mcp.Prompt{Name: "test_simple_prompt", Description: "one message"}, &mcp.TextContent{Text: "This is a simple prompt for testing."})
	suitePrompt(s, &mcp.Prompt{Name: "test_prompt_with_arguments", Description: "two arguments", Arguments: []*mcp.PromptArgument{
		{Name: "arg1", Description: "first", Required: true}, {Name: "arg2", Description: "second", Required: true},
	}}, &mcp.TextContent{Text: "Prompt with arguments: arg1='%arg1%', arg2='%arg2%'"})
	suitePrompt(s, &mcp.Prompt{Name: "test_prompt_with_embedded_resource", Description: "a resource", Arguments: []*mcp.PromptArgument{
		{Name: "resourceUri", Description: "its URI", Required: true},
	}}, embedded(""))
	suitePrompt(s, &mcp.Prompt{Name: "test_prompt_with_image", Description: "an image"}, &mcp.ImageContent{Data: pixel(), MIMEType: "image/png"})
	s.AddPrompt(&mcp.Prompt{Name: "test_input_required_result_prompt", Description: "asks first"}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		if answer, ok := req.Params.InputResponses["user_context"].(*mcp.ElicitResult); ok && answer.Action == "accept" {
			return message(&mcp.TextContent{Text: fmt.Sprint(answer.Content["context"])}), nil
		}
		return &mcp.GetPromptResult{InputRequests: mcp.InputRequestMap{"user_context": question("context")}}, nil
	})
}

func addSuiteResources(s *mcp.Server) {
	fixed := func(uri string, contents mcp.ResourceContents) {
		contents.URI = uri
		s.AddResource(&mcp.Resource{Name: strings.TrimPrefix(uri, "test://"), URI: uri, MIMEType: contents.MIMEType},
			func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{&contents}}, nil
			})
	}
	fixed("test://static-text", mcp.ResourceContents{MIMEType: "text/plain", Text: "This is the content of the static text resource."})
	fixed("test://static-binary", mcp.ResourceContents{MIMEType: "image/png", Blob: pixel()})
	fixed("test://watched-resource", mcp.ResourceContents{MIMEType: "text/plain", Text: "watched"})
	s.AddResourceTemplate(&mcp.ResourceTemplate{Name: "template", URITemplate: "test://template/{id}/data", MIMEType: "application/json"},
		func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			id := strings.TrimSuffix(strings.TrimPrefix(req.Params.URI, "test://template/"), "/data")
			doc, err := json.Marshal(map[string]any{"id": id, "templateTest": true, "data": "Data for ID: " + id})
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: "application/json", Text: string(doc)}}}, err
		})
}

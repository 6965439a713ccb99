package mcpserver

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/envwrap/envwrap/internal/shared/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

const (
	// maxDepth is the deepest nesting of a message that the SDK decodes.
	maxDepth = 1000
	// maxID is the largest integer that the SDK returns unchanged as the id of an answer.
	maxID = 1<<53 - 1
)

// decode returns the message in a JSON text, and nil with the answer to a text that is no
// message of JSON-RPC 2.0. Both are nil for a response that answers no call, such as the
// error of a client that could not read an answer: it is not answered in turn.
//
// A text that is not JSON or not UTF-8 is a parse error. A batch, a repeated name and an id
// that is no string or integer are invalid requests: the SDK would end the session, or
// answer to another id than the client's.
func decode(text []byte) (jsonrpc.Message, []byte) {
	var repeated *jsontext.Fault
	r := jsontext.Whole(maxDepth, func(f jsontext.Fault) bool {
		if f.Rule == "json/duplicate" && repeated == nil {
			repeated = &f
		}
		return f.Rule != "json/utf8"
	})
	defer r.Release()
	r.Keep = true
	fault := r.Read(text)
	id, idFault := readID(r.Top)
	method := r.Top.Get("method")
	refuse := func(code int, format string, args ...any) (jsonrpc.Message, []byte) {
		return nil, refusal(id, code, fmt.Sprintf(format, args...))
	}
	switch {
	case fault != nil && fault.Rule != "json/depth":
		id = nil
		return refuse(jsonrpc.CodeParseError, "not JSON: %s", fault.Text)
	case fault != nil:
		return refuse(jsonrpc.CodeInvalidRequest, "%s", fault.Text)
	case jsontext.Kind(text) == '[':
		return refuse(jsonrpc.CodeInvalidRequest, "a batch is not supported: send each message on its own")
	case jsontext.Kind(text) != '{':
		return refuse(jsonrpc.CodeInvalidRequest, "a message is a JSON object")
	case repeated != nil:
		if repeated.Pointer == "/id" {
			id = nil
		}
		return refuse(jsonrpc.CodeInvalidRequest, "%s", repeated.Text)
	case string(r.Top.Get("jsonrpc")) != `"2.0"`:
		return refuse(jsonrpc.CodeInvalidRequest, `the member "jsonrpc" has to be "2.0"`)
	case method == nil && (r.Top.Has("result") || r.Top.Has("error")) && (id == nil || idFault != ""):
		return nil, nil
	case idFault != "":
		return refuse(jsonrpc.CodeInvalidRequest, "%s", idFault)
	case method == nil && !r.Top.Has("result") && !r.Top.Has("error"):
		return refuse(jsonrpc.CodeInvalidRequest, `the member "method" is missing`)
	case method != nil && jsontext.Kind(method) != '"':
		return refuse(jsonrpc.CodeInvalidRequest, `the member "method" has to be a string`)
	}
	message, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		return refuse(jsonrpc.CodeInvalidRequest, "the members of the message have wrong types")
	}
	return message, nil
}

// readID returns the id of a message as it was spelled, and the fault of an invalid one. It
// returns nil for an id that is missing or neither a string nor a number.
func readID(message jsontext.Object) (id json.RawMessage, fault string) {
	id = message.Get("id")
	switch {
	case id == nil, jsontext.Kind(id) == '"':
		return id, ""
	case jsontext.Kind(id) != 0:
		return nil, "the id has to be a string or an integer"
	}
	if n, err := strconv.ParseFloat(string(id), 64); err != nil || n != math.Trunc(n) || math.Abs(n) > maxID {
		return id, fmt.Sprintf("a number as id has to be an integer of -%d to %d", maxID, maxID)
	}
	return id, ""
}

// refusal returns the answer to a text that is no message: an error of JSON-RPC 2.0. The
// SDK cannot write one, since it leaves out an id that is null.
func refusal(id json.RawMessage, code int, text string) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	b := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":`, id, code)
	return append(jsontext.AppendString(b, text), "}}"...)
}

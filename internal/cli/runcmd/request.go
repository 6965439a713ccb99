package runcmd

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/envwrap/envwrap/internal/cli"
	"github.com/envwrap/envwrap/internal/session"
)

// requestLimit is the most that is read of a --request.
const requestLimit = 16 << 20

// requestID takes the id out of an agent request (agent-response/v1: the
// document's .agent-request.json).
func requestID(w *cli.World, file string) (string, error) {
	id, err := readRequestID(w, w.Path(file))
	if err != nil {
		return "", &cli.UsageError{
			Text: fmt.Sprintf("option --request: cannot take request_id from %q: %v", file, err),
			Hint: `The file is a JSON object with "request_id", a UUID: without one the answer would be no valid envelope.`,
		}
	}
	return id, nil
}

func readRequestID(w *cli.World, path string) (string, error) {
	doc, err := w.ReadNamed(path, requestLimit)
	if err != nil {
		return "", err
	}
	var request map[string]json.RawMessage // a struct would take the name in any case
	if err := json.Unmarshal(doc, &request); err != nil {
		return "", errors.New("it is not such a JSON object")
	}
	var id *string
	switch err := json.Unmarshal(request["request_id"], &id); {
	case request["request_id"] == nil || err == nil && (id == nil || *id == ""):
		return "", errors.New("it has none")
	case err != nil:
		return "", errors.New("it is no text")
	}
	if _, ok := session.UUIDHex(*id); !ok {
		return "", fmt.Errorf("%q is no UUID", *id)
	}
	return *id, nil
}

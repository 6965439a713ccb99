package query

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// StatusExpression is the exit status of the companion program for an invalid
// expression.
const StatusExpression = 4

// Encode returns the arguments that hand options and an expression to the companion.
func (o Options) Encode(expr string) []string {
	text, err := json.Marshal(o)
	if err != nil { // numbers and booleans only
		panic(err)
	}
	return []string{string(text), expr}
}

// Decode returns the options and the expression that Encode encoded.
func Decode(args []string) (o Options, expr string, err error) {
	if len(args) != 2 {
		return o, "", errors.New("options and an expression are needed")
	}
	d := json.NewDecoder(strings.NewReader(args[0]))
	d.DisallowUnknownFields()
	if err := d.Decode(&o); err != nil {
		return o, "", fmt.Errorf("read options: %w; envwrap and envwrap-net have to be of one version", err)
	}
	return o, args[1], nil
}

// NotJQ returns the [Error] that the companion program printed as text.
func NotJQ(text string) error {
	return &Error{errors.New(strings.TrimPrefix(text, errorPrefix))}
}

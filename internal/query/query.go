// Package query is what envwrap and its companion program have to agree on where the
// companion runs an expression of the jq language: package jq.
package query

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Options configure the run of an expression.
type Options struct {
	Null     bool  // run once, on null; the functions input and inputs read the values
	MaxValue int64 // largest input value in bytes; 0 is 256 MiB

	Timeout   time.Duration // longest time between two input values; 0 is no limit
	MaxMemory int64         // limit of the heap in bytes, garbage not counted; 0 is no limit
}

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

// StatusExpression is the exit status of the companion program for an invalid
// expression.
const StatusExpression = 4

// An Error means that an expression is not valid in the language. Its text is one line.
type Error struct{ Err error }

func (e *Error) Error() string { return errorPrefix + e.Err.Error() }

const errorPrefix = "read expression: "

// Unwrap returns the parser's error.
func (e *Error) Unwrap() error { return e.Err }

// NotJQ returns the [Error] that the companion program printed as text.
func NotJQ(text string) error {
	return &Error{errors.New(strings.TrimPrefix(text, errorPrefix))}
}

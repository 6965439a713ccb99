package main

import (
	"errors"
	"fmt"

	"github.com/envwrap/envwrap/internal/app/companion"
)

// Exit statuses.
const (
	statusFailed     = 1
	statusUsage      = 2
	statusNotFound   = companion.StatusNotFound
	statusExpression = companion.StatusExpression
	statusUnreached  = companion.StatusUnreached
)

// A usageError describes a fault of the command line.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

// errFound is the error of a verb that has printed what failed.
var errFound = errors.New("some of it failed")

// errUnreached is the error of a verb that has printed that the remote could not be
// reached.
var errUnreached = errors.New("the remote could not be reached")

// say prints a part of an answer.
func say(format string, args ...any) error {
	if _, err := fmt.Printf(format, args...); err != nil {
		return fmt.Errorf("print the answer: %w", err)
	}
	return nil
}

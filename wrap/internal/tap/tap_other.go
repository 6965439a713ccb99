//go:build !linux

package tap

import "errors"

// A Tap does not exist on this system.
type Tap struct{}

// New returns [errors.ErrUnsupported].
func New([]Sink, string) (*Tap, error) { return nil, errors.ErrUnsupported }

// Inherited returns false.
func (*Tap) Inherited(int) bool { return false }

// Request returns "".
func (*Tap) Request() string { return "" }

// Answer returns "".
func (*Tap) Answer(int) string { return "" }

// Close does nothing.
func (*Tap) Close() {}

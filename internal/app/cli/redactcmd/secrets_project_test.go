package redactcmd

import (
	"reflect"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact"
)

// A project's file that is not trusted has values masked that are long enough
// to be secrets, and those of standard variables never.
func TestGuestValues(t *testing.T) {
	environ := []string{
		"SHORT=FAIL", "SEVEN=1234567", "EIGHT=12345678", "WIDE=ääääääää", "SHLVL=123456789", "LANG=en_US.UTF-8",
		"LC_ALL=en_US.UTF-8", "HOME=/home/somebody", "Path=/usr/local/bin",
	}
	var names []string
	for _, e := range environ {
		name, _, _ := strings.Cut(e, "=")
		names = append(names, name)
	}
	got := guestValues(append(names, "UNSET"), environ)
	want := []redact.Value{{Rule: "env:EIGHT", Secret: "12345678"}, {Rule: "env:WIDE", Secret: "ääääääää"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
}

package redact_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/redact/internal/match"
)

// Matchers add the mask that the package promises.
func TestMask(t *testing.T) {
	if redact.Mask != match.Mask {
		t.Errorf("%q is promised, %q is written", redact.Mask, match.Mask)
	}
}

// A value shows its rule and the mask, however it is printed, and so does all
// that holds one.
func TestValueHidesItself(t *testing.T) {
	const secret = "opensesame"
	v := redact.Value{Rule: "env:X", Secret: secret}
	o := redact.Options{Values: []redact.Value{v}}
	var shown []string
	for _, x := range []any{v, &v, []redact.Value{v}, map[string]redact.Value{"a": v}, o, &o, redact.New(o)} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%t"} {
			shown = append(shown, fmt.Sprintf(verb, x))
		}
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	shown = append(shown, string(text), fmt.Sprint(v), fmt.Sprintln(v))
	for _, h := range []func(*bytes.Buffer) slog.Handler{
		func(b *bytes.Buffer) slog.Handler { return slog.NewTextHandler(b, nil) },
		func(b *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(b, nil) },
	} {
		var b bytes.Buffer
		slog.New(h(&b)).Info("x", "value", v, "options", o)
		shown = append(shown, b.String())
	}
	for _, s := range shown {
		if strings.Contains(s, secret) || strings.Contains(s, fmt.Sprintf("%x", secret)) {
			t.Errorf("the secret is shown: %s", s)
		}
	}
	if got := fmt.Sprintf("%v|%#v|%d", v, v, v); got != "env:X=***|env:X=***|env:X=***" {
		t.Errorf("got %s", got)
	}
}

package cli

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// expect checks one parse: a value, or a usage error that repeats what was
// given and has a hint.
func expect[T comparable](t *testing.T, in string, got T, err error, want T, bad bool) {
	t.Helper()
	var u *usageError
	switch {
	case bad && !errors.As(err, &u):
		t.Errorf("%q: got %v, %v; want a usage error", in, got, err)
	case bad && (u.hint == "" || !strings.Contains(u.text, `"`+in)):
		t.Errorf("%q: the error %q has no hint, or does not repeat what was given", in, err)
	case !bad && (err != nil || got != want):
		t.Errorf("%q: got %v, %v; want %v", in, got, err, want)
	}
}

func TestSize(t *testing.T) {
	for _, c := range []struct {
		in   string
		want int64
		bad  bool
	}{
		{in: "0"},
		{in: "4096", want: 4096},
		{in: "4096B", want: 4096},
		{in: "32KiB", want: 32 << 10},
		{in: "32kib", want: 32 << 10},
		{in: "32 KiB", want: 32 << 10},
		{in: "64k", want: 64 << 10},
		{in: "1MiB", want: 1 << 20},
		{in: "1.5GiB", want: 3 << 29},
		{in: "10MB", want: 10_000_000},
		{in: "2TB", want: 2e12},
		{in: "9223372036854775807", want: 9223372036854775807},
		{in: "9223372036854775808", bad: true},
		{in: "8388608TiB", bad: true},
		{in: "99999999999999999999999999999999999999", bad: true},
		{in: "-1", bad: true},
		{in: "-1MiB", bad: true},
		{in: "MiB", bad: true},
		{in: "1.2.3", bad: true},
		{in: "1e3", bad: true},
		{in: "0x10", bad: true},
		{in: "ten", bad: true},
		{in: "1XiB", bad: true},
		{in: "NaN", bad: true},
		{in: "+5", bad: true},
		{in: " 5", bad: true},
	} {
		got, err := size(c.in)
		expect(t, c.in, got, err, c.want, c.bad)
	}
	if _, err := size(""); err == nil {
		t.Error("an empty size was taken")
	}
}

func TestDuration(t *testing.T) {
	for _, c := range []struct {
		in   string
		want time.Duration
		bad  bool
	}{
		{in: "0"},
		{in: "30s", want: 30 * time.Second},
		{in: "5m", want: 5 * time.Minute},
		{in: "1h30m", want: 90 * time.Minute},
		{in: "250ms", want: 250 * time.Millisecond},
		{in: "30", want: 30 * time.Second},
		{in: "0.5", want: 500 * time.Millisecond},
		{in: "-5s", bad: true},
		{in: "-5", bad: true},
		{in: "5 minutes", bad: true},
		{in: "1e9", bad: true},
		{in: "inf", bad: true},
		{in: "99999999999", bad: true},
		{in: "9999999999999h", bad: true},
		{in: "soon", bad: true},
	} {
		got, err := duration(c.in)
		expect(t, c.in, got, err, c.want, c.bad)
	}
}

func TestBoolean(t *testing.T) {
	for _, c := range []struct {
		in   string
		want bool
		bad  bool
	}{
		{in: "1", want: true},
		{in: "true", want: true},
		{in: "True", want: true},
		{in: "0"},
		{in: "false"},
		{in: "yes", bad: true},
		{in: "on", bad: true},
		{in: "2", bad: true},
	} {
		got, err := boolean(c.in)
		expect(t, c.in, got, err, c.want, c.bad)
	}
}

func TestCommandName(t *testing.T) {
	for _, c := range []struct {
		in  string
		bad bool
	}{
		{in: "exec/git"},
		{in: "0a-b/c-9"},
		{in: "git", bad: true},
		{in: "exec/", bad: true},
		{in: "/git", bad: true},
		{in: "exec/-git", bad: true},
		{in: "exec/Git", bad: true},
		{in: "exec/git/x", bad: true},
		{in: "exec/git status", bad: true},
		{in: "exec/gît", bad: true},
	} {
		got, err := commandName(c.in)
		expect(t, c.in, got, err, c.in, c.bad)
	}
}

// An assignment that cannot be read is not repeated: it may be a secret.
func TestAssignmentKeepsSecrets(t *testing.T) {
	var env []string
	for _, in := range []string{"hunter2", "=hunter2", "A=hunter2\x00"} {
		err := assignment(&env)(in)
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: got the error %v", in, err)
		}
	}
	if len(env) > 0 {
		t.Errorf("took %q", env)
	}
}

package cli_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
)

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
		{in: "2kB", want: 2000},
		{in: "10MB", want: 10_000_000},
		{in: "3GB", want: 3e9},
		{in: "1TiB", want: 1 << 40},
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
		got, err := cli.Size(c.in)
		clitest.Expect(t, c.in, got, err, c.want, c.bad)
	}
	if _, err := cli.Size(""); err == nil {
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
		{in: "1.2.3", bad: true},
	} {
		got, err := cli.Duration(c.in)
		clitest.Expect(t, c.in, got, err, c.want, c.bad)
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
		got, err := cli.Boolean(c.in)
		clitest.Expect(t, c.in, got, err, c.want, c.bad)
	}
}

func TestCharacters(t *testing.T) {
	for _, c := range []struct {
		in   string
		want int
		bad  bool
	}{
		{in: "8KiB", want: 8 << 10},
		{in: "2147483647", want: 1<<31 - 1},
		{in: "2GiB", bad: true},
		{in: "x", bad: true},
	} {
		got, err := cli.Characters(c.in)
		clitest.Expect(t, c.in, got, err, c.want, c.bad)
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		in                string
		want              int
		badCount, badTime bool
	}{
		{in: "0"},
		{in: "1000", want: 1000},
		{in: "1001", want: 1001, badTime: true},
		{in: "-1", badCount: true, badTime: true},
		{in: "x", badCount: true, badTime: true},
	} {
		got, err := cli.Count(c.in)
		clitest.Expect(t, c.in, got, err, c.want, c.badCount)
		got, err = cli.Number(c.in)
		clitest.Expect(t, c.in, got, err, c.want, c.badTime)
	}
}

func TestErrorCodes(t *testing.T) {
	var got []envelope.Code
	if err := cli.ErrorCodes(&got)("eio, ETIMEOUT"); err != nil || !slices.Equal(got, []envelope.Code{"EIO", "ETIMEOUT"}) {
		t.Errorf("got %q, %v", got, err)
	}
	if err := cli.ErrorCodes(&got)("EIO,ENONE"); err == nil || !strings.Contains(err.Error(), `"ENONE"`) {
		t.Errorf("got %v", err)
	}
}

// An option that adds up is set by each of its sources; another by the first one, which
// is the command line.
func TestResolve(t *testing.T) {
	settings := (&cli.Env{Environ: []string{"ENVWRAP_COLOUR=blue,red"}}).Variables()
	for _, c := range []struct {
		adds  bool
		given string
		want  string
	}{
		{false, "", "blue red"},
		{false, "green", "green"},
		{true, "", "blue red"},
		{true, "green", "green blue red"},
		{false, "wrong", "!"},
		{true, "wrong", "!"},
	} {
		var got []string
		o := &cli.Option{Name: "colour", Separator: ",", Adds: c.adds, Given: strings.Fields(c.given), Set: func(values []string) error {
			if slices.Contains(values, "wrong") {
				return errors.New("no colour")
			}
			got = append(got, values...)
			return nil
		}}
		if err := o.Resolve(settings); err != nil {
			got = append(got, "!")
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%+v: got %q", c, s)
		}
	}
}

// A word of a choice is part of a key of remembered runs, except for the default.
func TestKeyWord(t *testing.T) {
	words := func() []cli.Word[int] {
		return []cli.Word[int]{{Name: "default", Value: 0}, {Name: "one", Value: 1}, {Name: "two", Value: 2}}
	}
	for value, want := range []string{"", "one", "two", ""} {
		if got := cli.KeyWord(&value, words)(); got != want {
			t.Errorf("%d: got %q, want %q", value, got, want)
		}
	}
}

// Since takes how long ago, or a date; 0 is all.
func TestSince(t *testing.T) {
	var got time.Time
	env := clitest.EnvIn(t, t.TempDir())
	set := cli.SinceOption(env, &got).Set
	now := env.Now()
	for in, want := range map[string]time.Time{
		"7d": now.AddDate(0, 0, -7), "12h": now.Add(-12 * time.Hour), "30": now.Add(-30 * time.Second), "0": {},
		"2026-11-20": time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC),
	} {
		if err := set([]string{in}); err != nil || !got.Equal(want) {
			t.Errorf("%s: got %v, %v; want %v", in, got, err, want)
		}
	}
	for _, in := range []string{"", "0d", "-1d", "100000d", "xd", "2026-13-01"} {
		if err := set([]string{in}); err == nil {
			t.Errorf("%q is taken: %v", in, got)
		}
	}
}

package cli

import (
	"slices"
	"strings"
	"testing"
)

func TestSpread(t *testing.T) {
	options := []*Option{
		{Name: "format", Short: "f", Value: "NAME"},
		{Name: "count", Short: "n", Value: "N"},
		{Name: "invert", Short: "i"},
		{Name: "all", Short: "a"},
		{Name: "env", Value: "NAME=VALUE"},
	}
	for in, want := range map[string]string{
		"-fhelper x":       "-f helper x",
		"-f helper":        "-f helper",
		"-f=helper":        "-f=helper",
		"-format helper":   "-format helper",
		"-n-5":             "-n -5",
		"-n5 -ia":          "-n 5 -i -a",
		"-ian5":            "-i -a -n 5",
		"-in -5":           "-i -n -5",
		"-f -ia":           "-f -ia",
		"-in -ia":          "-i -n -ia",
		"--env -fx":        "--env -fx",
		"--env=-fx -ia":    "--env=-fx -i -a",
		"-fx -fy":          "-f x -f y",
		"-iz":              "-iz",
		"-":                "-",
		"word -ia":         "word -i -a",
		"-ia stray -ia":    "-i -a stray -ia",
		"--nonsense -fabc": "--nonsense -f abc",
	} {
		got := spread(strings.Fields(in), options, func(word string) bool { return word == "stray" })
		if !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

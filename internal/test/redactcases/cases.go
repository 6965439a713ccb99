package redactcases

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
)

// A Made is a generated case, and what it was made of.
type Made struct {
	Case
	Of, Frame string // kind and frame
}

// Cases returns cases of every kind of secret in every frame, the same ones for the
// same seed.
func Cases(seed uint64) []Made {
	rnd := rand.New(rand.NewPCG(seed, 18))
	var out []Made
	add := func(kind, frame, text, secret string) {
		if strings.HasPrefix(frame, "base64") {
			secret = longest(text)
		}
		out = append(out, Made{Case{Src: "made", Rule: kind + " / " + frame, Kind: "tp", Text: text, Secret: secret}, kind, frame})
	}
	for _, k := range slices.Concat(Tokens(), Values) {
		settings := NamedSettings()
		if k.Shape {
			settings = Settings
		}
		for _, f := range slices.Concat(settings, Named) {
			s := k.Make(rnd)
			add(k.Rule, f.Name, f.Write(k.Name, s), s)
		}
	}
	for _, t := range Texts {
		for _, f := range Lines {
			text, s := t.Write(rnd)
			add(t.Rule, f.Name, f.Write("", text), s)
		}
	}
	return out
}

// longest returns the longest word of a text, of letters, digits and the signs of
// base64 and URLs: a secret that was encoded.
func longest(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return !strings.ContainsRune(alnums+"+/-_%", r)
	})
	return slices.MaxFunc(words, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
}

// nameless are the settings that have no name in them.
var nameless = []string{
	"bare", "sentence", "SQL", "header", "base64 in a header", "base64", "base64 after one byte", "base64 after two bytes",
}

// NamedSettings returns the settings that have a name.
func NamedSettings() []Frame {
	return slices.DeleteFunc(slices.Clone(Settings), func(f Frame) bool { return slices.Contains(nameless, f.Name) })
}

package artifactcmd

import (
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli/clitest"
)

// TestArtifactVerbsHaveJSON looks whether a program can read what every verb
// of the store answers.
func TestArtifactVerbsHaveJSON(t *testing.T) {
	env := clitest.EnvIn(t, t.TempDir())
	verbs := Verb(env).Verbs
	if len(verbs) < 20 {
		t.Errorf("there are %d verbs", len(verbs))
	}
	for _, r := range verbs {
		has := false
		for _, o := range r.Verb(env).Options {
			has = has || o.Name == "json"
		}
		if !has {
			t.Errorf("artifact %s has no --json", r.Name)
		}
	}
}

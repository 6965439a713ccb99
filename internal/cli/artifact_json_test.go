package cli

import "testing"

// TestArtifactVerbsHaveJSON looks whether a program can read what every verb
// of the store answers.
func TestArtifactVerbsHaveJSON(t *testing.T) {
	w := worldIn(t, t.TempDir())
	verbs := artifactVerb(w).verbs
	if len(verbs) < 20 {
		t.Errorf("there are %d verbs", len(verbs))
	}
	for _, r := range verbs {
		has := false
		for _, o := range r.make(w).options {
			has = has || o.name == "json"
		}
		if !has {
			t.Errorf("artifact %s has no --json", r.name)
		}
	}
}

//go:build unix

package blackbox

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A workflow uses actions by commit only, has no permission that a job does not ask for,
// keeps no credentials in the checkout, and puts no value of an event into a script.
func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob(".github/workflows/*.yml")
	if err != nil || len(files) < 2 {
		t.Fatalf("workflows %v, %v", files, err)
	}
	pinned := regexp.MustCompile(`uses: [\w/.-]+@[0-9a-f]{40} # v[0-9.]+$`)
	script := regexp.MustCompile(`run: (.*)`)
	expression := regexp.MustCompile(`\$\{\{\s*(.*?)\s*\}\}`)
	known := regexp.MustCompile(`^github\.(workflow|ref|token|event_name == 'pull_request')$`)
	for _, file := range files {
		text := contents(t, file)
		if !strings.Contains(text, "\npermissions: {}\n") || strings.Contains(text, "pull_request_target") || strings.Contains(text, "workflow_run") {
			t.Errorf("%s: every permission is a job's, and events run with the rights of their author", file)
		}
		if strings.Count(text, "uses: actions/checkout@") != strings.Count(text, "persist-credentials: false") {
			t.Errorf("%s: a checkout keeps its credentials", file)
		}
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(line, "\n")
			if strings.Contains(line, "uses:") && !pinned.MatchString(line) {
				t.Errorf("%s: an action without a commit: %s", file, line)
			}
			if m := script.FindStringSubmatch(line); m != nil && !regexp.MustCompile(`^\.ci/[a-z]+( [a-z]+)?$`).MatchString(m[1]) {
				t.Errorf("%s: a script that is not a file of .ci: %s", file, line)
			}
			for _, m := range expression.FindAllStringSubmatch(line, -1) {
				if !known.MatchString(m[1]) {
					t.Errorf("%s: an expression whose value others may choose: %s", file, line)
				}
			}
		}
	}
}

// A release has an SBOM for each archive and signed checksums, whatever the environment,
// and leaves alone the mark of an operating system on what was downloaded.
func TestReleaseConfiguration(t *testing.T) {
	text := contents(t, ".goreleaser.yaml")
	for _, section := range []string{"\nsboms:\n  - artifacts: archive\n", "\nsigns:\n  - artifacts: checksum\n    cmd: cosign\n"} {
		if !strings.Contains(text, section) {
			t.Errorf("there is no %q", section)
		}
	}
	for _, word := range []string{"disable:", "quarantine", "xattr", "isEnvSet"} {
		if strings.Contains(text, word) {
			t.Errorf("it has %q", word)
		}
	}
	workflow := contents(t, ".github/workflows/release.yml")
	for _, word := range []string{"run: .ci/run\n", "needs: run\n", "environment: release\n", "run: .ci/release\n", "uses: actions/attest@"} {
		if !strings.Contains(workflow, word) {
			t.Errorf("the workflow has no %q", word)
		}
	}
}

// Each module of the repository is kept up to date.
func TestEveryModuleIsUpdated(t *testing.T) {
	text := contents(t, ".github/dependabot.yml")
	for _, pattern := range []string{"go.mod", "*/go.mod", "*/*/go.mod"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			dir := filepath.ToSlash(filepath.Join(string(os.PathSeparator), filepath.Dir(file)))
			if !regexp.MustCompile(`directories: \[.*` + regexp.QuoteMeta(dir) + `[],]`).MatchString(text) {
				t.Errorf("dependabot.yml has no %s", dir)
			}
		}
	}
}

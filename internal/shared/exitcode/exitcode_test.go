package exitcode

import (
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/shared/outcome"
)

func TestLookup(t *testing.T) {
	const ok, no = true, false
	for _, c := range []struct {
		argv      string
		status    int
		tool      string
		kind      outcome.Kind
		code      outcome.Code
		retryable bool
		refinable bool
	}{
		// The answer is no, or there are changes: no error.
		{"grep x f", 1, "grep", outcome.Negative, "", no, no},
		{"/usr/bin/egrep x f", 1, "egrep", outcome.Negative, "", no, no},
		{"diff a b", 1, "diff", outcome.Changes, "", no, no},
		{"[ -f x ]", 1, "[", outcome.Negative, "", no, no},
		{"terraform plan -detailed-exitcode", 2, "terraform", outcome.Changes, "", no, no},
		{"terraform plan --detailed-exitcode", 2, "terraform", outcome.Changes, "", no, no},
		{"tofu -chdir=x plan -out p -detailed-exitcode=true", 2, "tofu", outcome.Changes, "", no, no},
		{"terraform plan -detailed-exitcode", 0, "terraform", outcome.Success, "", no, no},
		{"gzip x", 2, "gzip", outcome.Warning, "", no, no},
		{"flock -n l true", 1, "flock", outcome.Negative, "", no, no},
		{"borg create r", 126, "borg", outcome.Warning, "", no, no},
		// The work was done and found faults, or was done in part.
		{"pytest -q", 1, "pytest", outcome.Findings, outcome.ERUNTIME, no, no},
		{"rsync a b", 23, "rsync", outcome.Partial, outcome.ERUNTIME, no, no},
		{"rsync a b", 24, "rsync", outcome.Partial, outcome.ERUNTIME, ok, no},
		{"find . -name x", 1, "find", outcome.Partial, outcome.ERUNTIME, no, no},
		// Failures.
		{"curl -f u", 22, "curl", outcome.Failure, outcome.ERUNTIME, no, ok},
		{"curl u", 6, "curl", outcome.Failure, outcome.ERUNTIME, ok, no},
		{"curl u", 28, "curl", outcome.Timeout, outcome.ETIMEOUT, ok, no},
		{"curl u", 60, "curl", outcome.Failure, outcome.ERUNTIME, no, no},
		{"curl ftp://u", 70, "curl", outcome.Failure, outcome.ERUNTIME, no, no},
		{"curl ftp://u", 83, "curl", outcome.Failure, outcome.ERUNTIME, no, no},
		{"ssh host", 255, "ssh", outcome.Failure, outcome.ERUNTIME, ok, no},
		{"ssh host false", 1, "ssh", outcome.Failure, outcome.ERUNTIME, no, ok},
		{"make all", 2, "make", outcome.Failure, outcome.ERUNTIME, no, ok},
		{"apt-get update", 100, "apt-get", outcome.Failure, outcome.ERUNTIME, no, ok},
		{"gh pr list", 4, "gh", outcome.Failure, outcome.EAUTH, no, no},
		{"gh pr list", 2, "gh", outcome.Canceled, outcome.ECANCELED, no, no},
		{"curl file:///x", 37, "curl", outcome.Failure, outcome.EPOLICY, no, no},
		{"curl -o /full u", 23, "curl", outcome.Failure, outcome.EIO, no, no},
		{"unzip x", 9, "unzip", outcome.Failure, outcome.ENOTFOUND, no, no},
		{"cargo nextest run", 92, "cargo", outcome.Failure, outcome.ENOTFOUND, no, no},
		{"borg create r", 143, "borg", outcome.Failure, outcome.ERUNTIME, no, no},
		{"borg create r", 50, "borg", outcome.Failure, outcome.ERUNTIME, no, ok},
		{"docker run img sh", 126, "docker", outcome.Failure, outcome.EIO, no, no},
		{"docker run img sh", 127, "docker", outcome.Failure, outcome.ENOTFOUND, no, no},
		{"watch x", 4, "watch", outcome.Failure, outcome.EIO, no, no},
		{"flock l x", 75, "flock", outcome.Failure, outcome.ERUNTIME, ok, no},
		{"flock l x", 69, "flock", outcome.Failure, outcome.ESKILLDOWN, no, no},
		// A row with a scope wins; without its scope it says nothing.
		{"terraform plan", 2, "", "", "", no, no},
		{"terraform plan -detailed-exitcode=false", 2, "", "", "", no, no},
		{"terraform fmt -check -diff", 3, "terraform", outcome.Findings, outcome.ERUNTIME, no, no},
		{"git grep x", 1, "git", outcome.Negative, "", no, no},
		{"git -C dir -c a=b --no-pager grep x", 1, "git", outcome.Negative, "", no, no},
		{"git checkout grep", 1, "git", outcome.Failure, outcome.ERUNTIME, no, ok},
		{"git commit -m grep", 1, "git", outcome.Failure, outcome.ERUNTIME, no, ok},
		{"git -C grep checkout x", 1, "git", outcome.Failure, outcome.ERUNTIME, no, ok},
		{"git diff --exit-code", 1, "git", outcome.Changes, "", no, no},
		{"git diff --no-index a b", 1, "git", outcome.Changes, "", no, no},
		{"git diff --quiet -- x", 1, "git", outcome.Changes, "", no, no},
		{"git diff -- --quiet", 1, "git", outcome.Failure, outcome.ERUNTIME, no, ok},
		{"git stash pop", 1, "git", outcome.Failure, outcome.ERUNTIME, no, no},
		{"git stash list pop", 1, "git", outcome.Failure, outcome.ERUNTIME, no, ok},
		{"git show-ref --verify --quiet refs/x", 1, "git", outcome.Negative, "", no, no},
		{"git bisect run ./t.sh", 125, "", "", "", no, no},
		{"kubectl -n ns --context c diff -f x", 1, "kubectl", outcome.Changes, "", no, no},
		{"kubectl get diff", 1, "kubectl", outcome.Failure, outcome.ERUNTIME, no, ok},
		{"docker --context c run x", 7, "docker", outcome.Failure, outcome.ERUNTIME, no, ok},
		{"docker run x", 125, "docker", outcome.Failure, outcome.ERUNTIME, no, no},
		{"docker ps --nope", 125, "docker", outcome.Failure, outcome.EARG, no, no},
		{"jq -er .x", 1, "jq", outcome.Negative, "", no, no},
		{"jq --exit-status .x", 4, "jq", outcome.Negative, "", no, no},
		{"jq -r .x", 1, "", "", "", no, no},
		{"sort -uc f", 1, "sort", outcome.Negative, "", no, no},
		{"sort f", 1, "", "", "", no, no},
		{"semgrep --error .", 1, "semgrep", outcome.Findings, outcome.ERUNTIME, no, no},
		{"semgrep ci", 1, "semgrep", outcome.Findings, outcome.ERUNTIME, no, no},
		{"trivy image --exit-code=5 x", 5, "trivy", outcome.Findings, outcome.ERUNTIME, no, no},
		{"cargo +nightly nextest run", 100, "cargo", outcome.Findings, outcome.ERUNTIME, no, no},
		{"cargo test", 101, "cargo", outcome.Failure, outcome.ERUNTIME, no, ok},
		{"npm run build", 254, "npm", outcome.Failure, outcome.ERUNTIME, no, ok},
		{"npm ci", 254, "npm", outcome.Failure, outcome.ENOTFOUND, no, no},
		// Bits: the worst one decides, and all must be known.
		{"fsck /dev/x", 1, "fsck", outcome.Warning, "", no, no},
		{"fsck /dev/x", 3, "fsck", outcome.Warning, "", no, no},
		{"fsck /dev/x", 5, "fsck", outcome.Findings, outcome.ERUNTIME, no, no},
		{"fsck /dev/x", 12, "fsck", outcome.Failure, outcome.ERUNTIME, no, ok},
		{"fsck /dev/x", 65, "", "", "", no, no},
		{"mount -a", 96, "mount", outcome.Failure, outcome.ERUNTIME, no, ok},
		{"mount -a", 64, "mount", outcome.Partial, outcome.ERUNTIME, no, no},
		{"pylint x", 30, "pylint", outcome.Findings, outcome.ERUNTIME, no, no},
		{"pylint x", 31, "pylint", outcome.Failure, outcome.ERUNTIME, no, ok},
		{"pylint x", 32, "pylint", outcome.Failure, outcome.EARG, no, no},
		// Looked through, the wrapper's own statuses first.
		{"timeout 1 sleep 5", 124, "timeout", outcome.Timeout, outcome.ETIMEOUT, no, no},
		{"timeout 1 sleep 5", 137, "timeout", outcome.Timeout, outcome.ETIMEOUT, no, no},
		{"timeout -k 5 --signal=INT 10s grep x f", 1, "grep", outcome.Negative, "", no, no},
		{"timeout 5 borg x", 124, "timeout", outcome.Timeout, outcome.ETIMEOUT, no, no},
		{"env nosuch", 127, "env", outcome.Failure, outcome.ENOTFOUND, no, no},
		{"env nosuch", 126, "env", outcome.Failure, outcome.EIO, no, no},
		{"sudo -u root env A=b nice -n 5 timeout 9 grep x", 1, "grep", outcome.Negative, "", no, no},
		{"python -m pytest", 1, "pytest", outcome.Findings, outcome.ERUNTIME, no, no},
		{"python3.12 -Wd -um pytest", 5, "pytest", outcome.Failure, outcome.EARG, no, no},
		{"npx eslint@9 .", 1, "eslint", outcome.Findings, outcome.ERUNTIME, no, no},
		{"uv run --with x pytest", 1, "pytest", outcome.Findings, outcome.ERUNTIME, no, no},
		{"uv tool run x", 9, "uv", outcome.Failure, outcome.ERUNTIME, no, ok},
		{"python3.12 x.py", 1, "python", outcome.Failure, outcome.ERUNTIME, no, ok},
		{"clang-18 x.c", 1, "clang", outcome.Findings, outcome.ERUNTIME, no, no},
		{`C:\Git\bin\GIT.exe`, 1, "", "", "", no, no},
		{`C:\Git\bin\git.EXE grep x`, 1, "git", outcome.Negative, "", no, no},
		// No further.
		{"nohup grep x f", 1, "", "", "", no, no},
		{"xargs grep x", 123, "xargs", outcome.Partial, outcome.ERUNTIME, no, no},
		{"time grep x f", 1, "", "", "", no, no},
		// An unknown status is never ok, nor is a pseudo-tool a tool.
		{"grep x f", 3, "", "", "", no, no},
		{"grep x f", -1, "", "", "", no, no},
		{"fsck x", -1, "", "", "", no, no},
		{"find .", 0, "", "", "", no, no},
		{"bash -c x", 1, "", "", "", no, no},
		{"shell x", 127, "", "", "", no, no},
		{"sysexits", 64, "", "", "", no, no},
		// Other rows speak of programs of that name, whatever else they say.
		{"lsb-init start", 4, "lsb-init", outcome.Failure, outcome.EPOLICY, no, no},
		{"systemd-service", 203, "systemd-service", outcome.Failure, outcome.EIO, no, no},
		{"go-runtime", 2, "go-runtime", outcome.Failure, outcome.ERUNTIME, no, no},
	} {
		m, found := Lookup(strings.Fields(c.argv), c.status)
		if found != (c.tool != "") {
			t.Errorf("%s: %d: found %t, %+v", c.argv, c.status, found, m)
			continue
		}
		if m.Tool != c.tool || m.Kind != c.kind || m.Code != c.code || m.Retryable != c.retryable || m.Refinable != c.refinable {
			t.Errorf("%s: %d:\n got %s %s %s retryable %t refinable %t (%v)\nwant %s %s %s retryable %t refinable %t",
				c.argv, c.status, m.Tool, m.Kind, m.Code, m.Retryable, m.Refinable, m.Row,
				c.tool, c.kind, c.code, c.retryable, c.refinable)
		}
	}
}

func TestLookupOfNothing(t *testing.T) {
	for _, argv := range [][]string{nil, {}, {""}, {"", ""}, {"/"}, {"timeout"}, {"env", "-u"}, {".exe"}} {
		if m, ok := Lookup(argv, 1); ok {
			t.Errorf("%q: %+v", argv, m)
		}
	}
}

func TestBitsSayAllTheyMean(t *testing.T) {
	m, ok := Lookup([]string{"fsck", "/dev/x"}, 12)
	if want := "errors left uncorrected; operational error"; !ok || m.Row.Meaning != want {
		t.Errorf("got %q, want %q", m.Row.Meaning, want)
	}
}

func TestMeaning(t *testing.T) {
	for _, c := range []struct {
		tool   string
		status int
		want   string
	}{
		{"grep", 1, "no lines selected (not an error)"},
		{"shell", 127, "command not found"},
		{"shell", 143, "terminated by signal n"},
		{"sysexits", 75, "EX_TEMPFAIL"},
		{"systemd-service", 203, "EXIT_EXEC"},
		{"fsck", 3, "errors corrected; corrected, reboot needed"},
		{"terraform", 2, ""}, // only with -detailed-exitcode
		{"nosuch", 1, ""},
		{"", 1, ""},
	} {
		got := MeaningOf(c.tool, c.status)
		if !strings.HasPrefix(got, c.want) || (got != "") != (c.want != "") {
			t.Errorf("Meaning(%q, %d) = %q, want %q", c.tool, c.status, got, c.want)
		}
	}
}

func TestRows(t *testing.T) {
	for tool, want := range map[string]string{
		"jq":           "1 4 2 3 5",
		"python3.12":   "1 2 130",
		"shell":        "0 1 2 126 127 128+n 255",
		"nosuch":       "",
		"":             "",
		"grep,egrep":   "",
		"/usr/bin/git": "",
	} {
		var statuses []string
		for row := range Rows(tool) {
			statuses = append(statuses, row.Status)
		}
		if got := strings.Join(statuses, " "); got != want {
			t.Errorf("%q: %s, want %s", tool, got, want)
		}
	}
	for range Rows("git") {
		break // a caller may stop
	}
}

func TestRowSays(t *testing.T) {
	said := 0
	for row := range Rows("fsck") {
		if m, ok := row.Says("fsck", 12); ok {
			said++
			if m.Kind != outcome.Findings && m.Kind != outcome.Failure {
				t.Errorf("%v: %+v", row, m)
			}
		}
	}
	if said != 2 {
		t.Errorf("%d rows speak of 12, want 2", said)
	}
}

func TestSysexits(t *testing.T) {
	want := map[int]outcome.Code{
		64: "EARG", 65: "EPARSE", 66: "ENOTFOUND", 67: "EAUTH", 68: "ENOTFOUND", 69: "ESKILLDOWN",
		70: "ERUNTIME", 71: "EIO", 72: "EIO", 73: "EIO", 74: "EIO", 75: "ERUNTIME", 76: "ERUNTIME",
		77: "EPOLICY", 78: "EARG",
	}
	for status := -1; status < 256; status++ {
		m, ok := Sysexits(status)
		if code, known := want[status]; ok != known || m.Code != code {
			t.Errorf("%d: got %q, %t, want %q", status, m.Code, ok, code)
		}
		if ok && m.Row.Meaning == "" {
			t.Errorf("%d: no meaning", status)
		}
		if m.Retryable != (status == 75) {
			t.Errorf("%d: retryable %t", status, m.Retryable)
		}
	}
}

func BenchmarkLookup(b *testing.B) {
	argv := strings.Fields("timeout 5 grep -r x .")
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := Lookup(argv, 1); !ok {
			b.Fatal("not found")
		}
	}
}

// A status that a known tool does not document is not read as one of
// sysexits.h.
func TestKnown(t *testing.T) {
	for argv, want := range map[string]bool{
		"grep x": true, "/usr/bin/git": true, "sudo -u x rsync": true, "python3.12 x": true, "python -m pytest": true,
		"mytool": false, "python -m mytool": false, "sh -c x": false, "shell": false, "sysexits": false, "": false,
		"gre": false, "grep,egrep": false,
	} {
		if got := Known(strings.Fields(argv)); got != want {
			t.Errorf("Known(%s) = %t", argv, got)
		}
	}
}

package blackbox

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/envwrap/envwrap/envelope"
)

// A supervisor keeps no descriptor of its caller's: who reads a pipe of ours to
// its end does not wait for the job.
func TestJobKeepsNoDescriptor(t *testing.T) {
	b := newBench(t)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	cmd := b.command("job", "submit", "--", "sh", "-c", "ls -l /proc/self/fd; echo begun; sleep 304")
	cmd.ExtraFiles = []*os.File{write, write, write}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	out, err := cmd.Output() // reads stdout to its end
	if err != nil {
		t.Fatal(err)
	}
	_ = write.Close()
	if _, err := io.ReadAll(read); err != nil { // hangs if somebody has the other end
		t.Fatal(err)
	}
	res, err := envelope.Decode(envelope.Dialects()[0], out)
	if err != nil {
		t.Fatal(err)
	}
	b.printed(res.JobID, "begun")
	supervisor, child := b.pids(res.JobID)
	for _, row := range []struct {
		pid  int
		most int
	}{{supervisor, 20}, {child, 3}} {
		fds, err := os.ReadDir("/proc/" + itoa(row.pid) + "/fd")
		if err != nil || len(fds) > row.most {
			t.Errorf("process %d has %d descriptors, %v", row.pid, len(fds), err)
		}
	}
	for _, fd := range []string{"0", "1", "2"} {
		if to, err := os.Readlink("/proc/" + itoa(supervisor) + "/fd/" + fd); to != "/dev/null" {
			t.Errorf("descriptor %s of the supervisor is %s, %v", fd, to, err)
		}
	}
}

// A job stores only names of environment variables, and no secret.
func TestJobKeepsNoSecret(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.env = append(b.env, "MY_API_TOKEN=swordfish-4711-galore", "PLAIN_VARIABLE=just-a-plain-value")
	over := t.TempDir() + "/over"
	id := b.submit(`echo "$MY_API_TOKEN"; echo "token=$MY_API_TOKEN" >&2; echo "has ${GIVEN_VARIABLE%%-*}"; until test -e "`+over+`"; do sleep 0.1; done; exit 1`,
		"--env", "GIVEN_VARIABLE=given-just-now", "--secret", "PLAIN_VARIABLE")
	b.printed(id, "***\nhas given\n")
	b.noneHas("swordfish-4711", "just-a-plain", "given-just-now")
	supervisor, _ := b.pids(id)
	line, err := os.ReadFile("/proc/" + itoa(supervisor) + "/cmdline")
	if err != nil || !bytes.Contains(line, []byte("supervise")) || bytes.Contains(line, []byte("given-just-now")) {
		t.Errorf("everybody sees this command line of the supervisor: %q, %v", line, err)
	}
	if err := os.WriteFile(over, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	b.wait(id)
	b.noneHas("swordfish-4711", "just-a-plain", "given-just-now")
	data, err := os.ReadFile(b.path(id, "record.json"))
	if err != nil || !bytes.Contains(data, []byte(`"MY_API_TOKEN"`)) {
		t.Errorf("the names of the variables: %s, %v", data, err)
	}
	dir := t.TempDir() + "/swordfish-4711-galore"
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"status"}, {"ls"}, {"tail", id}, {"status", "swordfish-4711-galore"}, {"ls", "--store", dir}} {
		cmd := b.command(append([]string{"job"}, args...)...)
		cmd.Dir = dir
		if out, _ := cmd.CombinedOutput(); len(out) == 0 || bytes.Contains(out, []byte("swordfish-4711")) {
			t.Errorf("job %s: %s", args, out)
		}
	}
	err = filepath.WalkDir(b.store+"/jobs", func(name string, d os.DirEntry, err error) error {
		info, infoErr := d.Info()
		if err == nil && infoErr == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// noneHas checks that no file of the store holds one of the texts.
func (b *bench) noneHas(texts ...string) {
	b.Helper()
	_ = filepath.WalkDir(b.store, func(name string, _ os.DirEntry, _ error) error {
		data, _ := os.ReadFile(name) // one that was moved meanwhile is seen where it is now
		for _, text := range texts {
			if bytes.Contains(data, []byte(text)) {
				b.Errorf("%s holds %q", name, text)
			}
		}
		return nil
	})
}

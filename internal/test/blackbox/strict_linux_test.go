package blackbox

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// evil is a configuration that would run a program of another user, hide a failure and
// send a command elsewhere. A time limit makes a run stricter.
const evil = "exit-code = 'zero'\ntimeout = '7m'\nformat = 'helper/v1'\n[runner.far]\ncommand = ['sh', '-c', 'touch sent']\n"

// write writes a file below the user's home, which belongs to the user.
func (s stranger) write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(s.home, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	for name := path; name != s.home; name = filepath.Dir(name) {
		if err := os.Lchown(name, s.uid, s.uid); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// output runs a line of the user's and returns what it printed on both streams.
func (s stranger) output(t *testing.T, line string, change ...func(*exec.Cmd)) (stdout, stderr string, status int) {
	t.Helper()
	cmd := s.command(t, line)
	for _, do := range change {
		do(cmd)
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// The user's own configuration is believed only if nobody else can change it, as
// StrictModes of OpenSSH has it. Else one warning names what others can change, and the
// command that mends it; and only what makes a run stricter holds.
func TestExposedConfigIsNotBelieved(t *testing.T) {
	t.Parallel()
	const other = 12345
	give := func(name string) func(stranger) error {
		return func(s stranger) error { return os.Lchown(filepath.Join(s.home, name), other, other) }
	}
	mode := func(name string, mode os.FileMode) func(stranger) error {
		return func(s stranger) error { return os.Chmod(filepath.Join(s.home, name), mode) }
	}
	for name, c := range map[string]struct {
		change func(stranger) error
		mend   string // the command, without the path below the home; "" if the file is believed
	}{
		"as made": {func(stranger) error { return nil }, ""},
		"a file of another user": {func(s stranger) error {
			return errors.Join(give(".config/envwrap/config.toml")(s), mode(".config/envwrap/config.toml", 0o644)(s))
		}, "sudo chown -h UID HOME/.config/envwrap/config.toml"},
		"a directory of another user":    {give(".config"), "sudo chown -h UID HOME/.config"},
		"the home of another user":       {func(s stranger) error { return errors.Join(give(".")(s), mode(".", 0o755)(s)) }, "sudo chown -h UID HOME"},
		"a file that all may write":      {mode(".config/envwrap/config.toml", 0o666), "chmod go-w HOME/.config/envwrap/config.toml"},
		"a directory that all may write": {mode(".config", 0o777), "chmod go-w HOME/.config"},
		"the user's own group":           {mode(".config", 0o775), ""},
		"a group of others": {func(s stranger) error {
			return errors.Join(os.Lchown(filepath.Join(s.home, ".config"), s.uid, other), mode(".config", 0o775)(s))
		}, "chmod go-w HOME/.config"},
		"a list of users, one of whom may write": {func(s stranger) error {
			return listWriter(filepath.Join(s.home, ".config/envwrap/config.toml"), other)
		}, "chmod go-w HOME/.config/envwrap/config.toml"},
		"a directory with such a list": {func(s stranger) error { return listWriter(filepath.Join(s.home, ".config"), other) }, "chmod go-w HOME/.config"},
		"HOME=/tmp":                    {mode(".", 0o777|os.ModeSticky), ""},
		"HOME=/tmp, and another user was first": {func(s stranger) error {
			return errors.Join(mode(".", 0o777|os.ModeSticky)(s), give(".config")(s), give(".config/envwrap")(s), give(".config/envwrap/config.toml")(s), mode(".config/envwrap/config.toml", 0o644)(s))
		}, "sudo chown -h UID HOME/.config"},
		"a link to dotfiles": {func(s stranger) error {
			return errors.Join(os.Rename(s.home+"/.config/envwrap", s.home+"/dotfiles"), os.Symlink("../dotfiles", s.home+"/.config/envwrap"), os.Lchown(s.home+"/.config/envwrap", s.uid, s.uid))
		}, ""},
		"a link to dotfiles that all may write": {func(s stranger) error {
			return errors.Join(os.Rename(s.home+"/.config/envwrap", s.home+"/dotfiles"), os.Symlink("../dotfiles", s.home+"/.config/envwrap"), os.Lchown(s.home+"/.config/envwrap", s.uid, s.uid), mode("dotfiles", 0o777)(s))
		}, "chmod go-w HOME/dotfiles"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStranger(t)
			s.write(t, ".config/envwrap/config.toml", evil)
			if err := c.change(s); errors.Is(err, unix.EOPNOTSUPP) {
				t.Skip("the file system of TMPDIR has no access control lists")
			} else if err != nil {
				t.Fatal(err)
			}
			stdout, stderr, status := s.output(t, "envwrap -- false")
			settings, _, _ := s.output(t, "envwrap config")
			_, refused, far := s.output(t, "envwrap --on far -- true")
			_, err := os.Stat(filepath.Join(s.home, "sent"))
			if !strings.Contains(settings, "timeout            7m") || !strings.Contains(stdout, "schema_version") {
				t.Errorf("the time limit and the format do not hold: %s\n%s", stdout, settings)
			}
			if c.mend == "" {
				if status != 0 || stderr != "" || err != nil {
					t.Errorf("it is not believed: status %d, %v: %s", status, err, stderr)
				}
				return
			}
			mend := strings.NewReplacer("UID", strconv.Itoa(s.uid), "HOME", s.home).Replace(c.mend)
			if rows, warned, _ := s.output(t, "envwrap runner ls"); rows != "" || !strings.HasSuffix(warned, "run: "+mend+"\n") {
				t.Errorf("runners: %s%s", rows, warned)
			}
			if status != 1 || far != 125 || err == nil || !strings.Contains(refused, `there is no runner "far"`) {
				t.Errorf("it is believed: status %d, of a runner %d, %v: %s", status, far, err, refused)
			}
			if strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "config.toml is not believed") || !strings.HasSuffix(stderr, "run: "+mend+"\n") {
				t.Fatalf("the warning lacks %q: %s", mend, stderr)
			}
			if err := exec.CommandContext(t.Context(), "/bin/sh", "-c", strings.TrimPrefix(mend, "sudo ")).Run(); err != nil {
				t.Fatal(err)
			}
			if _, after, _ := s.output(t, "envwrap -- true"); strings.HasSuffix(after, "run: "+mend+"\n") {
				t.Errorf("%s does not help: %s", mend, after)
			}
		})
	}
}

// listWriter gives a file or directory an access control list by which its owner and
// another user may do all, and its group may not write (acl(5)).
func listWriter(path string, user uint32) error {
	type entry struct {
		tag, perm uint16
		id        uint32
	}
	const none = 1<<32 - 1
	list := struct {
		version uint32
		entries [5]entry
	}{2, [5]entry{{1, 7, none}, {2, 7, user}, {4, 5, none}, {0x10, 7, none}, {0x20, 5, none}}}
	var b bytes.Buffer
	for _, part := range []any{list.version, list.entries} {
		if err := binary.Write(&b, binary.LittleEndian, part); err != nil {
			return err
		}
	}
	return unix.Setxattr(path, "system.posix_acl_access", b.Bytes(), 0)
}

// In a user namespace root has no number where only the user is mapped, and counts as
// root all the same.
func TestConfigInAUserNamespace(t *testing.T) {
	t.Parallel()
	s := newStranger(t)
	home, err := os.MkdirTemp("/run", "envwrap-stranger-") // the user can write to /tmp, whose owner may be anyone
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	if err := os.Lchown(home, s.uid, s.uid); err != nil {
		t.Fatal(err)
	}
	s.home = home
	s.write(t, ".config/envwrap/config.toml", evil)
	alone := func(cmd *exec.Cmd) {
		ids := []syscall.SysProcIDMap{{ContainerID: s.uid, HostID: s.uid, Size: 1}}
		cmd.SysProcAttr = &syscall.SysProcAttr{
			Cloneflags: syscall.CLONE_NEWUSER, UidMappings: ids, GidMappings: ids,
			Credential: &syscall.Credential{Uid: uint32(s.uid), Gid: uint32(s.uid), NoSetGroups: true},
		}
	}
	if err := func() error { cmd := s.command(t, "envwrap version"); alone(cmd); return cmd.Run() }(); err != nil {
		t.Skipf("no user namespace can be made: %v", err)
	}
	if _, stderr, status := s.output(t, "envwrap -- false", alone); status != 0 || stderr != "" {
		t.Errorf("it is not believed: status %d: %s", status, stderr)
	}
	if _, stderr, status := s.output(t, "unshare --user sh -c 'envwrap -- false'"); status != 1 || !strings.Contains(stderr, "this user has no number") {
		t.Errorf("it is believed where all users have one number: status %d: %s", status, stderr)
	}
	config := filepath.Join(s.home, ".config/envwrap/config.toml")
	if err := errors.Join(os.Lchown(config, 12345, 12345), os.Chmod(config, 0o644)); err != nil {
		t.Fatal(err)
	}
	if _, stderr, status := s.output(t, "envwrap -- false", alone); status != 1 || !strings.Contains(stderr, "is not believed") {
		t.Errorf("a file of a user without a number is believed: status %d: %s", status, stderr)
	}
	if err := os.Lchown(filepath.Join(s.home, ".config"), 12345, 12345); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(s.home, ".config"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, stderr, status := s.output(t, "envwrap -- false", alone); status != 1 || !strings.Contains(stderr, "is not believed") {
		t.Errorf("a directory that all may write is believed: status %d: %s", status, stderr)
	}
}

// Other trusted files lie where only the user can write, too: the list of trusted
// project files, the key that signs remembered runs, and the shims at the head of PATH.
func TestExposedRecordsAreNotBelieved(t *testing.T) {
	t.Parallel()
	s := newStranger(t)
	s.write(t, "clone/.git/HEAD", "")
	s.write(t, "clone/.envwrap.toml", "exit-code = 'zero'\n")
	s.write(t, ".local/state/.keep", "")
	s.write(t, ".local/share/.keep", "")
	inClone := func(cmd *exec.Cmd) { cmd.Dir = filepath.Join(s.home, "clone") }
	if out, stderr, status := s.output(t, "envwrap config trust", inClone); status != 0 {
		t.Fatalf("status %d: %s%s", status, out, stderr)
	}
	if _, stderr, status := s.output(t, "envwrap -- false", inClone); status != 0 || stderr != "" {
		t.Errorf("it is not trusted: status %d: %s", status, stderr)
	}
	key, _, status := s.output(t, "envwrap cache keygen")
	if status != 0 {
		t.Fatalf("keygen: status %d", status)
	}
	key = strings.Split(key, `"`)[1]
	for _, dir := range []string{".local", ".config"} {
		if err := os.Chmod(filepath.Join(s.home, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	mend := func(dir string) string { return "run: chmod go-w " + filepath.Join(s.home, dir) }
	if _, stderr, status := s.output(t, "envwrap -- false", inClone); status != 1 || !strings.Contains(stderr, "is not trusted") || !strings.Contains(stderr, mend(".local")) || strings.Contains(stderr, "config trust") {
		t.Errorf("the list of trusted files is believed: status %d: %s", status, stderr)
	}
	if _, stderr, status := s.output(t, "envwrap config trust", inClone); status != 1 || !strings.Contains(stderr, mend(".local")) {
		t.Errorf("a file was put on the list: status %d: %s", status, stderr)
	}
	if _, stderr, status := s.output(t, "envwrap shim install true"); status != 1 || !strings.Contains(stderr, mend(".local")) {
		t.Errorf("shims were made: status %d: %s", status, stderr)
	}
	const remembered = "envwrap --cache 1h --cache-remote --remote http://127.0.0.1:1/ --cache-key "
	if _, stderr, status := s.output(t, remembered+key+" -- true"); status != 0 || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "nothing is signed") || !strings.Contains(stderr, mend(".config")) {
		t.Errorf("the key is believed: status %d: %s", status, stderr)
	}
}

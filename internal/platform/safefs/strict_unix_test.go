//go:build unix

package safefs

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// A file is believed only if nobody but this user and root can change it, or what is on
// the way to it.
func TestStrictModes(t *testing.T) {
	const other = 12345
	for name, c := range map[string]struct {
		change  func(at func(string) string) error
		exposed string // what is named; "" is nothing
		chown   bool   // it takes root
	}{
		"as made": {func(func(string) string) error { return nil }, "", false},
		"the file, by a group": {func(at func(string) string) error {
			return errors.Join(os.Lchown(at("a/b/file"), -1, other), os.Chmod(at("a/b/file"), 0o620))
		}, "a/b/file", true},
		"the file, by all":              {func(at func(string) string) error { return os.Chmod(at("a/b/file"), 0o602) }, "a/b/file", false},
		"the file, to read":             {func(at func(string) string) error { return os.Chmod(at("a/b/file"), 0o644) }, "", false},
		"a directory, by all":           {func(at func(string) string) error { return os.Chmod(at("a"), 0o777) }, "a", false},
		"a sticky directory, our entry": {func(at func(string) string) error { return os.Chmod(at("a"), 0o777|os.ModeSticky) }, "", false},
		"the sticky directory of the file": {func(at func(string) string) error {
			return errors.Join(os.Chmod(at("a/b"), 0o777|os.ModeSticky), os.Lchown(at("a/b/file"), other, other))
		}, "a/b/file", true},
		"a sticky directory, their entry": {func(at func(string) string) error {
			return errors.Join(os.Chmod(at("a"), 0o777|os.ModeSticky), os.Lchown(at("a/b"), other, other))
		}, "a/b", true},
		"a sticky directory, their link": {func(at func(string) string) error {
			return errors.Join(os.Rename(at("a/b"), at("c")), os.Symlink("../c", at("a/b")), os.Chmod(at("a"), 0o777|os.ModeSticky), os.Lchown(at("a/b"), other, other))
		}, "a/b", true},
		"their directory": {func(at func(string) string) error { return os.Lchown(at("a"), other, other) }, "a", true},
		"their file":      {func(at func(string) string) error { return os.Lchown(at("a/b/file"), other, other) }, "a/b/file", true},
		"a link to a safe place": {func(at func(string) string) error {
			return errors.Join(os.Rename(at("a/b"), at("c")), os.Symlink(at("c"), at("a/b")))
		}, "", false},
		"a link to an open place": {func(at func(string) string) error {
			return errors.Join(os.Mkdir(at("open"), 0o700), os.Rename(at("a/b/file"), at("open/file")), os.Symlink("../../a/../open/file", at("a/b/file")), os.Chmod(at("open"), 0o777))
		}, "open", false},
		"a link through an open place": {func(at func(string) string) error {
			return errors.Join(os.Mkdir(at("open"), 0o700), os.Rename(at("a/b"), at("c")), os.Symlink("../open/b", at("a/b")), os.Symlink("../c", at("open/b")), os.Chmod(at("open"), 0o777))
		}, "open", false},
	} {
		t.Run(name, func(t *testing.T) {
			if c.chown && os.Geteuid() != 0 {
				t.Skip("only root can give a file away")
			}
			base, err := filepath.EvalSymlinks(t.TempDir())
			must(t, err)
			at := func(name string) string { return filepath.Join(base, filepath.FromSlash(name)) }
			must(t, os.Chmod(base, 0o755), os.MkdirAll(at("a/b"), 0o755), os.Chmod(at("a"), 0o755), os.Chmod(at("a/b"), 0o755), os.WriteFile(at("a/b/file"), nil, 0o600), c.change(at))
			err = StrictModes(at("a/b/file"))
			var exposed *Exposed
			switch {
			case c.exposed == "" && err != nil, c.exposed != "" && !errors.As(err, &exposed):
				t.Fatal(err)
			case exposed != nil && exposed.Path != at(c.exposed):
				t.Errorf("%q is named, want %q: %v", exposed.Path, at(c.exposed), err)
			}
		})
	}
	base := t.TempDir()
	if hasACL(base) || !canWrite(base) || canWrite(filepath.Join(base, "absent")) {
		t.Errorf("a new directory has a list: %t; can be written to: %t", hasACL(base), canWrite(base))
	}
	must(t, os.Symlink("circle", filepath.Join(base, "circle")))
	var exposed *Exposed
	for _, name := range []string{"circle", "absent", "circle/absent"} {
		if err := StrictModes(filepath.Join(base, name)); err == nil || errors.As(err, &exposed) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// A private group has the name or the number of its user, and no other member.
func TestPrivateGroup(t *testing.T) {
	const users = "root:x:0:0:root:/root:/bin/sh\nada:x:1000:1000::/home/ada:/bin/sh\nbob:x:1001:100::/home/bob:/bin/sh\neve:x:1002:1002:::\ndan:x:1003:2000:::\nfay:x:1004:1000:::\n"
	const groups = "root:x:0:\nusers:x:100:\nada:x:1000:ada\nbob:x:1001:\neve:x:1002:eve,ada\ndan:x:2000:\ndevs:x:3000:\n"
	for _, c := range []struct {
		name           string
		users, groups  string
		uid, gid, egid int
		want           bool
	}{
		{"its own, by name", "dan:x:1003:2000:::\n", groups, 1003, 2000, 7, true},
		{"its own, by number", "ada:x:1000:1000:::\n", groups, 1000, 1000, 1000, true},
		{"another user's primary group too", users, groups, 1000, 1000, 1000, false},
		{"another member", users, groups, 1002, 1002, 1002, false},
		{"one that many have", users, groups, 1001, 100, 100, false},
		{"by name, but not the primary group", users, groups, 1001, 1001, 1001, false},
		{"that of the process only", users, groups, 1003, 3000, 3000, false},
		{"a user in no list", "", "", 1000, 1000, 1000, true},
		{"a user in no list, another group", "", "", 1000, 1001, 1001, false},
		{"a user in no list, not the group of the process", "", "", 1000, 1000, 1001, false},
		{"root's", "root:x:0:0:::\n", "root:x:0:\n", 0, 0, 0, true},
		{"lines that are cut", "ada\nada:x:1000\n:::\n", "ada:x\n", 1000, 1000, 1000, true},
	} {
		if got := isPrivate(c.users, c.groups, c.uid, c.gid, c.egid); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// The map of a user namespace is read whole, or not at all.
func TestParseIDMap(t *testing.T) {
	for _, c := range []struct {
		text string
		want []idRange
	}{
		{"", []idRange{}},
		{"         0       1000          1\n         1     100000      65536\n", []idRange{{0, 1000, 1}, {1, 100000, 65536}}},
		{"0 1000 1\nroot\n", nil},
		{"0 1000\n", nil},
	} {
		if got := parseIDMap(c.text); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %#v, want %#v", c.text, got, c.want)
		}
	}
}

// A list of the system's that does not exist is empty, and one that is too large is not read.
func TestReadList(t *testing.T) {
	file := filepath.Join(t.TempDir(), "passwd")
	if text, err := readList(file); text != "" || err != nil {
		t.Errorf("no list: %q, %v", text, err)
	}
	if _, err := readList(filepath.Dir(file)); err == nil {
		t.Error("a directory was read")
	}
	must(t, os.WriteFile(file, []byte("root:x:0:0::/root:/bin/sh\n"), 0o600))
	if text, err := readList(file); text != "root:x:0:0::/root:/bin/sh\n" || err != nil {
		t.Errorf("a list: %q, %v", text, err)
	}
	must(t, os.Truncate(file, 4<<20+1))
	if _, err := readList(file); !errors.Is(err, ErrRefused) {
		t.Errorf("a large list: %v", err)
	}
}

// An owner that is shown as overflowID may be outside of the user namespace, unless that
// has such a number.
func TestUserNamespace(t *testing.T) {
	host := []idRange{{0, 0, 1<<32 - 1}}
	for _, c := range []struct {
		name    string
		ranges  []idRange
		euid    int
		outside bool
		mapped  bool // the user euid
	}{
		{"no namespace, root", host, 0, false, true},
		{"no namespace", host, 1000, false, true},
		{"one user", []idRange{{1000, 1000, 1}}, 1000, true, true},
		{"root alone", []idRange{{0, 1000, 1}}, 0, true, true},
		{"a container's root", []idRange{{0, 100000, 65536}}, 0, true, true},
		{"a container's user", []idRange{{0, 100000, 65536}}, 7, false, true},
		{"up to the number", []idRange{{0, 100000, overflowID}}, overflowID, true, false},
		{"from the number", []idRange{{overflowID, 100000, 1}}, overflowID, false, true},
		{"past the number", []idRange{{overflowID + 1, 100000, 1}}, overflowID, true, false},
		{"not set yet", []idRange{}, overflowID, false, false},
		{"not shown", nil, overflowID, false, true},
	} {
		if got := mayBeOutside(c.ranges, overflowID, c.euid); got != c.outside {
			t.Errorf("%s: the owner may be outside: %t", c.name, got)
		}
		if got := inRanges(c.ranges, c.euid); got != c.mapped {
			t.Errorf("%s: the user has a number: %t", c.name, got)
		}
	}
}

package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// absent is in place of the digest of a file that is not there.
const absent = "absent"

// BadPattern reports whether a name is neither an existing file nor a valid
// pattern.
func BadPattern(name string) bool {
	return isPattern(name) && !doublestar.ValidatePathPattern(name)
}

// isPattern reports whether a name has a meaning beyond itself.
func isPattern(name string) bool { return strings.ContainsAny(name, `*?[{\`) }

// inputs returns the digests of all files that names mean, by path. A name is a file, a
// directory with everything below it, or a pattern; a name that exists as it is spelled
// is never a pattern. A file that does not exist counts as absent, so that making it
// changes the key. barren has the names that lead to nothing now, which may be mistakes.
func (c *Cache) inputs(names []string) (found map[string]string, barren []string, err error) {
	found = map[string]string{}
	for _, name := range names {
		one := map[string]string{}
		if err := c.input(one, name); err != nil {
			return nil, nil, fmt.Errorf("read input %q: %w", name, err)
		}
		if len(one) == 0 || one[name] == absent {
			barren = append(barren, name)
		}
		maps.Copy(found, one)
	}
	return found, barren, nil
}

func (c *Cache) input(found map[string]string, name string) error {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && isPattern(name):
		return c.pattern(found, name)
	case errors.Is(err, fs.ErrNotExist):
		found[name] = absent
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return c.tree(found, name)
	}
	return c.one(found, name)
}

// pattern adds the files that match a pattern, and of directories that match only the
// names.
func (c *Cache) pattern(found map[string]string, pattern string) error {
	names, err := doublestar.FilepathGlob(pattern, doublestar.WithFailOnIOErrors(), doublestar.WithNoFollow())
	if err != nil {
		return err
	}
	for _, name := range names {
		info, err := os.Stat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist): // a link to nowhere, or it went just now
			found[name] = absent
		case err != nil:
			return err
		case !info.Mode().IsRegular():
			found[name] = kind(info.Mode())
		default:
			if err := c.one(found, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// tree adds everything below a directory. Links to directories are not followed; their
// targets count.
func (c *Cache) tree(found map[string]string, dir string) error {
	// The separator makes it follow a link that dir itself may be.
	return filepath.WalkDir(dir+string(filepath.Separator), func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // it went while we were looking
		case err != nil:
			return err
		case d.Type()&fs.ModeSymlink != 0:
			return c.link(found, name)
		case !d.Type().IsRegular():
			found[name] = kind(d.Type())
			return nil
		}
		return c.one(found, name)
	})
}

// kind returns the text that a key has in the place of a digest for a directory, a FIFO, a
// socket or a device.
func kind(m fs.FileMode) string { return "kind " + m.Type().String() }

func (c *Cache) link(found map[string]string, name string) error {
	target, err := os.Readlink(name)
	if err != nil {
		return err
	}
	found[name] = "link " + target
	if !leadsToFile(name) {
		return nil
	}
	digest, err := c.fileDigest(name)
	found[name] += " " + digest
	return err
}

func leadsToFile(link string) bool {
	info, err := os.Stat(link)
	return err == nil && info.Mode().IsRegular()
}

func (c *Cache) one(found map[string]string, name string) error {
	digest, err := c.fileDigest(name)
	if errors.Is(err, fs.ErrNotExist) {
		digest, err = absent, nil
	}
	found[name] = digest
	return err
}

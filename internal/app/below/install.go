package below

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/envwrap/envwrap/internal/platform/safefs"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// A Plan lists the changes that an install or a removal makes.
type Plan struct {
	Changes []*Change
	// Links are the links that are made or removed.
	Links []string

	place   *Place
	client  *Client
	undo    []backup
	install bool
}

// Empty reports whether there is nothing to do.
func (p *Plan) Empty() bool { return len(p.Changes)+len(p.Links) == 0 }

// A backup is a settings file as it was before install, for removal to restore.
type backup struct {
	Path   string `json:"path"`
	Before []byte `json:"before"` // nil means that there was no file
	After  string `json:"after"`  // digest of what install wrote
}

func digest(doc []byte) string { return fmt.Sprintf("%x", sha256.Sum256(doc)) }

// undoFile returns the file with what removal restores.
func (p *Place) undoFile(c *Client) string { return p.Link("undo-" + c.Name + ".json") }

func (p *Place) backups(c *Client) []backup {
	var list []backup
	if doc, err := readFile(p.undoFile(c)); err == nil {
		_ = json.Unmarshal(doc, &list) // of one that is damaged nothing is restored
	}
	return list
}

// withoutLegacy takes out the hooks that earlier versions installed.
func (c *Client) withoutLegacy(file string, doc []byte, p *Place) []byte {
	if file != filepath.Join(p.directory(c), c.legacy.file) || !json.Valid(doc) || doc[jsontext.SkipSpace(doc, 0)] != '{' {
		return doc
	}
	return remove(doc, c.legacy.path, c.oursBefore)
}

// oursBefore reports whether an entry of hooks, or a group with nothing but this entry,
// calls envwrap for this client.
func (c *Client) oursBefore(entry []byte) bool {
	var group struct {
		Command string            `json:"command"`
		Hooks   []json.RawMessage `json:"hooks"`
	}
	if json.Unmarshal(entry, &group) != nil {
		return false
	}
	if group.Command == "" {
		return len(group.Hooks) == 1 && c.oursBefore(group.Hooks[0])
	}
	words := strings.Fields(group.Command)
	return len(words) >= 3 && path.Base(words[0]) == "envwrap" && words[1] == "hook" && words[2] == c.Name
}

// files returns the client's edits by file, and the file of earlier hooks.
func (c *Client) files(p *Place) (list []string, edits map[string][]edit) {
	edits = map[string][]edit{}
	if c.edits != nil {
		for _, e := range c.edits(p) {
			if edits[e.file] == nil {
				list = append(list, e.file)
			}
			edits[e.file] = append(edits[e.file], e)
		}
	}
	if old := filepath.Join(p.directory(c), c.legacy.file); edits[old] == nil {
		list = append(list, old)
	}
	return list, edits
}

// Install returns what sets envwrap below the client. Each file is changed only where it
// has to be, and hooks of earlier versions are taken out.
func (c *Client) Install(p *Place) (*Plan, error) {
	plan := &Plan{place: p, client: c, install: true}
	files, edits := c.files(p)
	known := p.backups(c)
	for _, file := range files {
		real, now, err := load(file)
		if err != nil {
			return nil, err
		}
		clean := c.withoutLegacy(file, now, p)
		doc := clean
		for _, e := range edits[file] {
			if doc, err = e.apply(doc); err != nil {
				return nil, fmt.Errorf("change %q: %w", file, err)
			}
		}
		if bytes.Equal(doc, now) && now != nil || doc == nil {
			plan.undo = append(plan.undo, backupsOf(known, real)...)
			continue
		}
		before := clean
		for _, e := range edits[file] {
			if before, err = e.revert(before); err != nil {
				before = clean
			}
		}
		if now == nil {
			before = nil
		}
		plan.undo = append(plan.undo, backup{real, before, digest(doc)})
		plan.Changes = append(plan.Changes, &Change{real, now, doc, isOwn(edits[file])})
	}
	for _, name := range c.links {
		if target, err := os.Readlink(p.Link(name)); err != nil || target != p.Envwrap {
			plan.Links = append(plan.Links, p.Link(name))
		}
	}
	return plan, nil
}

// isOwn reports whether a file is envwrap's.
func isOwn(edits []edit) bool { return len(edits) > 0 && edits[0].own }

// backupsOf returns the saved versions of one file.
func backupsOf(list []backup, file string) []backup {
	for _, s := range list {
		if s.Path == file {
			return []backup{s}
		}
	}
	return nil
}

// load follows the links of a file, and reads it.
func load(file string) (real string, doc []byte, err error) {
	if real, err = resolve(file); err != nil {
		return "", nil, err
	}
	doc, err = readFile(real)
	return real, doc, err
}

// Remove returns what takes envwrap out again, as any version installed it. A file that
// nobody has changed since gets back what it had, byte for byte.
func (c *Client) Remove(p *Place) (*Plan, error) {
	plan := &Plan{place: p, client: c}
	files, edits := c.files(p)
	known := p.backups(c)
	for _, file := range files {
		real, now, err := load(file)
		if err != nil {
			return nil, err
		}
		if now == nil {
			continue
		}
		doc := c.withoutLegacy(file, now, p)
		if s := backupsOf(known, real); s != nil && s[0].After == digest(now) {
			doc = s[0].Before
		} else {
			for _, e := range edits[file] {
				if doc, err = e.revert(doc); err != nil {
					return nil, fmt.Errorf("change %q: %w", file, err)
				}
			}
		}
		if !bytes.Equal(doc, now) || doc == nil {
			plan.Changes = append(plan.Changes, &Change{real, now, doc, isOwn(edits[file])})
		}
	}
	for _, name := range c.links {
		if _, err := os.Readlink(p.Link(name)); err == nil {
			plan.Links = append(plan.Links, p.Link(name))
		}
	}
	return plan, nil
}

// Write does it: links first when installing, and last when removing, so that no setting
// leads to a missing program.
func (p *Plan) Write() error {
	for _, c := range p.Changes {
		if _, err := c.mode(); err != nil {
			return err
		}
	}
	if !p.install {
		for _, c := range p.Changes {
			if err := c.Write(); err != nil {
				return err
			}
		}
		for _, link := range append(p.Links, p.place.undoFile(p.client)) {
			if err := os.Remove(link); err != nil && !missing(err) {
				return err
			}
		}
		return nil
	}
	if err := p.place.make(); err != nil {
		return err
	}
	for _, link := range p.Links {
		if err := p.place.makeLink(link); err != nil {
			return err
		}
	}
	record, err := json.Marshal(p.undo)
	if err == nil {
		err = os.WriteFile(p.place.undoFile(p.client), record, 0o600)
	}
	if err != nil {
		return fmt.Errorf("keep what was there before: %w", err)
	}
	for _, c := range p.Changes {
		if err := c.Write(); err != nil {
			return err
		}
	}
	return nil
}

// make makes the place of links. It has to belong to the user, since clients run what lies
// there.
func (p *Place) make() error {
	if err := os.MkdirAll(filepath.Join(p.Dir, geminiDir), 0o700); err != nil {
		return err
	}
	if err := safefs.StrictModes(p.Dir); err != nil {
		return fmt.Errorf("make links in %q: %w", p.Dir, err)
	}
	return os.WriteFile(p.Link(mark), nil, 0o600)
}

// makeLink makes a link to envwrap, in one step where there is another.
func (p *Place) makeLink(name string) error {
	fresh := name + ".new"
	_ = os.Remove(fresh) // of an install that was killed
	if err := os.Symlink(p.Envwrap, fresh); err != nil {
		return err
	}
	return os.Rename(fresh, name)
}

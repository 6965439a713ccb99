package cachecmd

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/envwrap/envwrap/internal/app/cache"
	"github.com/envwrap/envwrap/internal/app/cli"
)

func cacheKeygenVerb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name:    "keygen",
		Args:    "[FILE]",
		Takes:   cli.AFile,
		Summary: "make a key that signs remembered runs for other machines",
		Text: `The private key goes to FILE, which must not exist yet and which only you can read;
the default is cache-key in the directory of your configuration. Two lines are printed
for your config.toml, to stand above its tables. Other machines put the public key into
trusted-keys of theirs, and into revoked-keys when it is not to be believed any more.`,
		Has:     cli.HasJSON,
		Example: "envwrap cache keygen\nenvwrap cache keygen ci.key",
		Run: func(_ context.Context, c *cli.Call) error {
			words := c.Operands()
			path := filepath.Join(filepath.Dir(c.UserConfig()), "cache-key")
			if len(words) == 1 {
				path = c.Path(words[0])
			} else if c.UserConfig() == "" {
				return cli.Usagef("nothing says where your configuration is: give a FILE")
			}
			public, private, err := ed25519.GenerateKey(rand.Reader)
			if err != nil {
				return fmt.Errorf("make a key: %w", err)
			}
			if err := writePrivate(path, cache.PrivateText(private)+"\n"); err != nil {
				return fmt.Errorf("write the private key: %w", err)
			}
			doc := struct {
				File   string `json:"private_key_file"`
				Public string `json:"public_key"`
			}{path, cache.PublicText(public)}
			return c.Answer(doc, func(b *strings.Builder) {
				fmt.Fprintf(b, "cache-key = %q\ntrusted-keys = [%q]\n", doc.File, doc.Public)
			})
		},
	}
}

// writePrivate creates a file that only the user may read. It fails with fs.ErrExist if
// the file exists.
func writePrivate(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%q is there already: name another file, or remove it", path)
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		_ = os.Remove(path)
	}
	return err
}

package redact_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact"
)

// hostile are texts that were made to be slow to search, and known values for them.
func hostile() map[string]struct {
	text   []byte
	values []redact.Value
} {
	type one = struct {
		text   []byte
		values []redact.Value
	}
	const size = 512 << 10
	fill := func(unit string) []byte { return []byte(strings.Repeat(unit, 1+size/len(unit))) }
	rnd := rand.New(rand.NewPCG(1, 1))
	var packed bytes.Buffer
	for packed.Len() < size {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		fmt.Fprintf(z, "%x status=%d", rnd.Uint64(), rnd.Uint64())
		z.Close()
		packed.WriteString(base64.StdEncoding.EncodeToString(b.Bytes()) + " ")
		if rnd.IntN(8) == 0 {
			packed.WriteByte('\n')
		}
	}
	var near, names, values bytes.Buffer
	var known []redact.Value
	for i := range 8 {
		known = append(known, redact.Value{Rule: fmt.Sprintf("env:V%d", i), Secret: fmt.Sprintf("walrus-tulip-4711-quartz-%d/orchid", i)})
	}
	for near.Len() < size {
		fmt.Fprintf(&near, "walrus-tulip-4711-quartz-%d-orchid ", rnd.IntN(10))
	}
	for names.Len() < size {
		fmt.Fprintf(&names, "token%d key%d password%d ", rnd.IntN(99), rnd.IntN(99), rnd.IntN(99))
	}
	for values.Len() < size {
		fmt.Fprintf(&values, "the token is %x, the password: word\n", rnd.IntN(99))
	}
	line := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("a line of a text. ", 3)))
	return map[string]one{
		"gzip members":      {text: packed.Bytes()},
		"near known values": {near.Bytes(), known},
		"base64 lines":      {text: fill(line + "\n")},
		"base64 of zeros":   {text: fill(strings.Repeat("QUFB", 19) + "\n")},
		"open quotes":       {text: fill(`token="`)},
		"open quotes lines": {text: fill(strings.Repeat(`token="`, 99) + "\n")},
		"names":             {text: names.Bytes()},
		"names joined":      {text: fill("password_token_")},
		"names and words":   {text: values.Bytes()},
		"names and values":  {text: fill("password=a ")},
		"names in a row":    {text: fill("password_token_secret_key_")},
		"headers of tables": {text: fill("user,password\n")},
		"headers of keys":   {text: fill("-----BEGIN PRIVATE KEY-----\n")},
		"header in header":  {text: fill(strings.Repeat("authorization=", 4000) + "\n")},
		"hash in hash":      {text: fill(strings.Repeat("$1$", 20000) + "\n")},
		"name in name":      {text: fill(strings.Repeat("\u041f\u0430\u0440\u043e\u043b\u044c:x1", 4000) + "\n")},
	}
}

// Texts that were made to be slow.
func BenchmarkHostile(b *testing.B) {
	for name, h := range hostile() {
		r := redact.New(redact.Options{Values: h.values})
		b.Run(name, func(b *testing.B) { benchmark(b, r, h.text) })
	}
}

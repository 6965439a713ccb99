// Package mimetype finds out the MIME type of output by its first bytes.
package mimetype

import (
	"bytes"
)

// MIME types that the content alone does not spell out.
const (
	JSON   = "application/json"
	NDJSON = "application/x-ndjson"
	Text   = "text/plain; charset=utf-8"
	Mixed  = "text/plain" // with bytes that are no UTF-8
	Bytes  = "application/octet-stream"
)

// A magic number is how the files of one format begin.
type magic struct {
	at   int
	mark string
	kind string
}

// Formats that are text, after white space.
var textMagic = [...]magic{
	{0, "<!doctype html", "text/html; charset=utf-8"},
	{0, "<html", "text/html; charset=utf-8"},
	{0, "<?xml", "text/xml; charset=utf-8"},
	{0, "<svg", "image/svg+xml"},
	{0, "%pdf-", "application/pdf"},
}

// Binary formats. The marks come from the formats' own documents.
var binaryMagic = [...]magic{
	{0, "\x89PNG\r\n\x1A\n", "image/png"},
	{0, "\xFF\xD8\xFF", "image/jpeg"},
	{0, "GIF87a", "image/gif"},
	{0, "GIF89a", "image/gif"},
	{8, "WEBP", "image/webp"},
	{0, "II*\x00", "image/tiff"},
	{0, "MM\x00*", "image/tiff"},
	{0, "BM", "image/bmp"},
	{0, "\x00\x00\x01\x00", "image/x-icon"},
	{0, "%PDF-", "application/pdf"},
	{0, "\x1F\x8B", "application/gzip"},
	{0, "BZh", "application/x-bzip2"},
	{0, "\xFD7zXZ\x00", "application/x-xz"},
	{0, "\x28\xB5\x2F\xFD", "application/zstd"},
	{0, "PK\x03\x04", "application/zip"},
	{0, "PK\x05\x06", "application/zip"},
	{0, "7z\xBC\xAF\x27\x1C", "application/x-7z-compressed"},
	{0, "Rar!\x1A\x07", "application/vnd.rar"},
	{257, "ustar", "application/x-tar"},
	{0, "\x7FELF", "application/x-elf"},
	{0, "\xCF\xFA\xED\xFE", "application/x-mach-binary"},
	{0, "MZ", "application/vnd.microsoft.portable-executable"},
	{0, "\x00asm", "application/wasm"},
	{0, "SQLite format 3\x00", "application/vnd.sqlite3"},
	{0, "OggS", "application/ogg"},
	{0, "fLaC", "audio/flac"},
	{0, "ID3", "audio/mpeg"},
	{8, "WAVE", "audio/wav"},
	{4, "ftyp", "video/mp4"},
	{0, "\x1A\x45\xDF\xA3", "video/webm"},
	{0, "wOF2", "font/woff2"},
	{0, "PAR1", "application/vnd.apache.parquet"},
}

func (m *magic) fits(p []byte, fold bool) bool {
	if len(p) < m.at+len(m.mark) {
		return false
	}
	p = p[m.at : m.at+len(m.mark)]
	if fold {
		return bytes.EqualFold(p, []byte(m.mark))
	}
	return string(p) == m.mark
}

// OfText returns the type of a text that begins with p.
func OfText(p []byte) string { return kindIn(textMagic[:], bytes.TrimLeft(p, " \t\r\n"), true, Text) }

// OfBytes returns the type of output that begins with p and is no UTF-8 text: other if no
// format is known that begins so.
func OfBytes(p []byte, other string) string { return kindIn(binaryMagic[:], p, false, other) }

func kindIn(table []magic, p []byte, fold bool, none string) string {
	for i := range table {
		if table[i].fits(p, fold) {
			return table[i].kind
		}
	}
	return none
}

// HasControls reports whether p has control characters that no text has: all
// but the white space, backspace and escape that terminals know.
func HasControls(p []byte) bool {
	for _, c := range p {
		if c < ' ' && (c < '\a' || c > '\r') && c != 0x1B {
			return true
		}
	}
	return false
}

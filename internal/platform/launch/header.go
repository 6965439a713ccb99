package launch

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path"
	"strings"
	"syscall"
)

// A Header describes a file that could not be started, by its first bytes.
type Header struct {
	Interpreter string // of a #! line, without its arguments
	arguments   string // of the interpreter
	Carriage    bool   // the #! line ends with CR LF
	Binary      bool   // it has a NUL byte, or begins as an ELF file: no script
}

// headerBytes is how much of a file bash looks at before it calls it binary.
const headerBytes = 256

// ReadHeader looks at the file's beginning. A file that cannot be read, and what
// is no regular file (a FIFO would be waited for), has the zero Header.
func ReadHeader(path string) Header {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return Header{}
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a FIFO may be there now
	if err != nil {
		return Header{}
	}
	defer file.Close()
	buf := make([]byte, headerBytes)
	n, err := io.ReadFull(file, buf)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return Header{}
	}
	buf = buf[:n]
	h := Header{Binary: bytes.IndexByte(buf, 0) >= 0 || bytes.HasPrefix(buf, []byte("\x7fELF"))}
	if rest, ok := bytes.CutPrefix(buf, []byte("#!")); ok {
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		h.Carriage = bytes.HasSuffix(line, []byte("\r"))
		h.Interpreter, h.arguments, _ = strings.Cut(strings.Trim(string(line), " \t\r"), " ")
	}
	return h
}

// Program returns what env(1), as the interpreter of a script, is asked to find:
// the first word that is no option and no assignment.
func (h Header) Program() string {
	if path.Base(h.Interpreter) != "env" {
		return ""
	}
	for word := range strings.FieldsSeq(h.arguments) {
		if !strings.HasPrefix(word, "-") && !strings.Contains(word, "=") {
			return word
		}
	}
	return ""
}

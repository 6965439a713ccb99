// Package nesting lets an envwrap say to the envwrap that runs it, directly or through
// other programs, which envelope it printed and with which status it is about to end.
//
// The outer one has a register: a file in memory, which another process opens by the
// outer one's process id and only with the rights to read that process (ptrace(2)), so
// those of the same user or root. ENVWRAP_CTX=<run>:<pid>, which the command inherits,
// names both. An entry was made by a process that could have run envwrap: it says no
// more about the command than an envelope that envwrap really wrote. A command that
// prints what others gave it, such as a file of a repository, cannot make one by its
// output.
//
// Only Linux has registers; elsewhere nothing is proved.
package nesting

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
)

// entry returns the line for an envelope and a status, as "<sha256> <status>\n". White
// space around the envelope does not count.
func entry(doc []byte, status int) string {
	return digest(doc) + strconv.Itoa(status) + "\n"
}

// digest returns the beginning of the lines for an envelope.
func digest(doc []byte) string { return fmt.Sprintf("%x ", sha256.Sum256(bytes.TrimSpace(doc))) }

// parse splits a context, the value of ENVWRAP_CTX, into the run's id and the process id
// of its envwrap.
func parse(context string) (run string, pid int, ok bool) {
	run, word, _ := strings.Cut(context, ":")
	pid, err := strconv.Atoi(word)
	return run, pid, err == nil && pid > 0 && run != "" && len(run) <= longestRun
}

// longestRun is how long an id of a run may be: the name of a file in memory has at most
// 249 bytes (memfd_create(2)).
const longestRun = 200

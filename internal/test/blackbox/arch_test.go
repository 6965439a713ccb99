package blackbox

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// The arrows between packages. A package that is not here fails the test, and
// so does one that imports more than its row says. Tests may import what they
// like.
const module = "github.com/envwrap/envwrap"

type arrows struct {
	project []string // packages of this module; "*" is all of them
	modules []string // modules of others; "*" is any
	never   []string // packages of the standard library, with those below them
}

var packages = map[string]arrows{
	".": {project: []string{"internal/app/cli", "internal/app/verbs"}},
	// The command line: what all verbs have in common, then the verbs.
	"internal/app/cli": {
		project: []string{
			"wrap", "envelope", "redact", "artifact", "detect", "internal/shared/hints", "internal/platform/output", "internal/platform/safefs", "internal/platform/proc",
			"internal/app/below", "internal/app/engine", "internal/app/runlog", "internal/app/session", "internal/app/remoteconfig", "internal/shared/errtext", "internal/shared/term", "internal/shared/tomltext", "internal/app/toolanswer", "internal/app/trust",
		},
		modules: []string{"github.com/urfave/cli/v2", "golang.org/x/sys"},
	},
	"internal/app/cli/completion":  {project: []string{"internal/app/cli", "internal/shared/hints"}},
	"internal/app/cli/redactcmd":   {project: verbsUse("redact", "redact/gitleaks")},
	"internal/app/cli/runcmd":      {project: verbsUse("wrap", "envelope", "redact", "artifact", "detect", "excerpt", "job", "internal/app/below", "internal/app/cache", "internal/app/engine", "internal/shared/limitbuf", "internal/platform/launch", "internal/app/cli/enginejob", "internal/app/cli/farend", "internal/app/cli/redactcmd", "internal/shared/jsontext", "internal/platform/output", "internal/app/runlog", "internal/app/remoteconfig", "internal/shared/shell", "internal/app/toolanswer"), modules: []string{"golang.org/x/sys"}},
	"internal/app/cli/enginejob":   {project: verbsUse("wrap", "envelope", "redact", "job", "internal/app/cli/farend", "internal/app/engine", "internal/platform/launch", "internal/shared/limitbuf")},
	"internal/app/cli/farend":      {project: verbsUse("envelope", "artifact", "job", "internal/platform/launch", "internal/shared/limitbuf")},
	"internal/app/cli/jobcmd":      {project: verbsUse("wrap", "envelope", "excerpt", "job", "internal/app/cli/farend", "internal/app/cli/runcmd", "internal/platform/output")},
	"internal/app/cli/cachecmd":    {project: verbsUse("envelope", "artifact", "internal/app/cache", "internal/app/cli/runcmd")},
	"internal/app/cli/artifactcmd": {project: verbsUse("internal/platform/scratch", "envelope", "redact", "artifact", "excerpt", "internal/app/cli/redactcmd", "internal/app/companion", "internal/app/runlog", "internal/shared/jsontext", "internal/platform/output", "internal/app/remoteconfig")},
	"internal/app/cli/configcmd":   {project: verbsUse("envelope", "redact", "internal/app/below", "internal/shared/shell", "internal/shared/pipeline", "internal/platform/output", "internal/platform/safefs", "internal/platform/scratch", "internal/app/trust")},
	"internal/app/cli/envelopecmd": {project: verbsUse("wrap", "envelope", "redact", "artifact", "detect", "internal/shared/exitcode", "internal/platform/output", "internal/app/runlog", "internal/app/stats", "internal/app/companion", "internal/platform/proc", "internal/app/cli/runcmd", "job")},
	"internal/app/cli/clitest":     {project: []string{"envelope", "internal/app/cli", "internal/test/matrix", "internal/test/testenv"}, modules: []string{"github.com/rogpeppe/go-internal"}},
	"internal/app/verbs": {
		project: []string{
			"internal/app/cli", "internal/app/cli/artifactcmd", "internal/app/cli/cachecmd", "internal/app/cli/completion", "internal/app/cli/configcmd",
			"internal/app/cli/envelopecmd", "internal/app/cli/jobcmd", "internal/app/cli/redactcmd", "internal/app/cli/runcmd",
		},
	},
	"internal/app/engine":      {project: []string{"internal/shared/errtext", "internal/shared/hints", "internal/shared/limitbuf"}, never: []string{"os", "net", "syscall"}},
	"internal/platform/output": {project: []string{"wrap", "internal/platform/safefs"}, modules: []string{"golang.org/x/sys"}, never: []string{"net"}},
	"internal/app/session": {
		project: []string{
			"wrap", "envelope", "redact", "artifact", "excerpt", "detect",
			"internal/app/cache", "internal/platform/safefs", "internal/platform/proc", "internal/shared/failpattern", "internal/app/toolanswer",
		},
		modules: []string{"github.com/oklog/ulid/v2"},
		never:   []string{"net"},
	},
	"wrap/internal/proctree": {
		project: []string{"wrap/internal/console", "wrap/internal/program", "wrap/internal/signals", "internal/platform/proc"},
		modules: []string{"golang.org/x/sys"},
	},
	"wrap/internal/tap":     {modules: []string{"golang.org/x/sys"}},
	"wrap/internal/pipe":    {modules: []string{"golang.org/x/sys"}},
	"wrap/internal/console": {modules: []string{"golang.org/x/sys"}},
	"wrap/internal/spawn":   {project: []string{"wrap/internal/console", "internal/platform/launch"}, modules: []string{"golang.org/x/sys"}},
	"wrap/internal/program": {project: []string{"internal/platform/safefs"}},
	"wrap/internal/nesting": {project: []string{"internal/platform/proc"}, modules: []string{"golang.org/x/sys"}},
	"wrap/internal/signals": {modules: []string{"golang.org/x/sys"}},
	"wrap": {
		project: []string{"wrap/internal/console", "wrap/internal/nesting", "wrap/internal/proctree", "wrap/internal/pipe", "wrap/internal/program", "wrap/internal/signals", "wrap/internal/spawn", "wrap/internal/tap", "envelope", "redact", "artifact", "excerpt", "internal/shared/limitbuf", "internal/shared/exitcode", "internal/shared/errtext", "internal/shared/failpattern", "internal/shared/hints", "internal/platform/launch", "internal/platform/safefs", "internal/platform/scratch", "internal/shared/pipeline", "internal/platform/proc", "internal/shared/shell", "internal/shared/testreport"},
		modules: []string{"github.com/cenkalti/backoff/v5", "golang.org/x/sys"},
	},
	"envelope": {
		project: []string{"excerpt", "envelope/internal/wire", "envelope/internal/delegator", "envelope/internal/check", "envelope/internal/mimetype", "envelope/internal/preview", "internal/shared/escape", "internal/shared/jsontext", "internal/shared/outcome"},
		modules: []string{"github.com/oklog/ulid/v2"},
		never:   []string{"os", "net", "syscall"},
	},
	"envelope/internal/delegator":        {project: []string{"envelope/internal/wire"}, never: []string{"os", "net", "syscall"}},
	"envelope/internal/check":            {project: []string{"envelope/internal/wire", "internal/shared/jsontext"}, never: []string{"os", "net", "syscall"}},
	"envelope/internal/mimetype":         {never: []string{"os", "net", "syscall"}},
	"envelope/internal/preview":          {project: []string{"envelope/internal/wire", "internal/shared/jsontext"}, never: []string{"os", "net", "syscall"}},
	"envelope/internal/wire":             {project: []string{"internal/shared/jsontext"}, never: []string{"os", "net", "syscall"}},
	"excerpt":                            {project: []string{"internal/shared/escape"}, never: []string{"os", "net", "syscall"}},
	"redact":                             {project: []string{"redact/internal/ascii", "redact/internal/rules/command", "redact/internal/dump", "redact/internal/known", "redact/internal/match", "redact/internal/names", "redact/internal/scan", "redact/internal/rules/token", "redact/internal/utf16stream", "redact/internal/value"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/ansi":               {never: []string{"os", "net", "syscall"}},
	"redact/internal/ascii":              {never: []string{"os", "net", "syscall"}},
	"redact/internal/rules/assignment":   {project: []string{"redact/internal/ascii", "redact/internal/classify", "redact/internal/match", "redact/internal/names", "redact/internal/rules/service", "redact/internal/rules/sql", "redact/internal/syntax", "redact/internal/rules/table", "redact/internal/rules/token", "redact/internal/value"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/classify":           {project: []string{"redact/internal/ascii", "redact/internal/decode", "redact/internal/names", "redact/internal/syntax", "redact/internal/value"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/rules/command":      {project: []string{"redact/internal/ascii", "redact/internal/match", "redact/internal/names", "redact/internal/syntax", "redact/internal/value"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/decode":             {project: []string{"redact/internal/ascii"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/dump":               {project: []string{"redact/internal/ascii", "redact/internal/decode", "redact/internal/match", "redact/internal/syntax"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/encoded":            {project: []string{"redact/internal/ascii", "redact/internal/decode", "redact/internal/encodings", "redact/internal/literal", "redact/internal/match", "redact/internal/syntax", "redact/internal/value"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/encodings":          {project: []string{"redact/internal/ascii", "redact/internal/decode"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/rules/header":       {project: []string{"redact/internal/ascii", "redact/internal/decode", "redact/internal/match", "redact/internal/names", "redact/internal/syntax", "redact/internal/value"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/rules/jwt":          {project: []string{"redact/internal/ascii", "redact/internal/decode", "redact/internal/match", "redact/internal/value"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/known":              {project: []string{"redact/internal/ascii", "redact/internal/decode", "redact/internal/dump", "redact/internal/encodings", "redact/internal/match", "redact/internal/names", "redact/internal/value"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/rules/kubernetes":   {project: []string{"redact/internal/ascii", "redact/internal/decode", "redact/internal/match", "redact/internal/syntax", "redact/internal/value"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/literal":            {project: []string{"redact/internal/ascii"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/match":              {project: []string{"redact/internal/ascii", "redact/internal/classify", "redact/internal/names", "redact/internal/syntax"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/rules/mnemonic":     {project: []string{"redact/internal/ascii", "redact/internal/literal", "redact/internal/match", "redact/internal/value"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/names":              {project: []string{"redact/internal/ascii"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/rules/netrc":        {project: []string{"redact/internal/ascii", "redact/internal/match", "redact/internal/value"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/rules/passwordhash": {project: []string{"redact/internal/ascii", "redact/internal/match", "redact/internal/syntax"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/rules/privatekey":   {project: []string{"redact/internal/ascii", "redact/internal/match", "redact/internal/syntax", "redact/internal/value"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/rules":              {project: []string{"redact/internal/ascii", "redact/internal/rules/assignment", "redact/internal/rules/command", "redact/internal/encoded", "redact/internal/rules/header", "redact/internal/rules/jwt", "redact/internal/rules/kubernetes", "redact/internal/literal", "redact/internal/match", "redact/internal/rules/mnemonic", "redact/internal/names", "redact/internal/rules/netrc", "redact/internal/rules/passwordhash", "redact/internal/rules/privatekey", "redact/internal/rules/service", "redact/internal/rules/sql", "redact/internal/rules/table", "redact/internal/rules/token", "redact/internal/rules/url"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/scan":               {project: []string{"redact/internal/ansi", "redact/internal/ascii", "redact/internal/rules/assignment", "redact/internal/rules/command", "redact/internal/decode", "redact/internal/dump", "redact/internal/encoded", "redact/internal/known", "redact/internal/rules/kubernetes", "redact/internal/literal", "redact/internal/match", "redact/internal/rules/mnemonic", "redact/internal/names", "redact/internal/rules/netrc", "redact/internal/rules/privatekey", "redact/internal/rules", "redact/internal/rules/sql", "redact/internal/syntax", "redact/internal/rules/table", "redact/internal/rules/token", "redact/internal/value"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/rules/service":      {project: []string{"redact/internal/ascii", "redact/internal/match", "redact/internal/names", "redact/internal/syntax", "redact/internal/value"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/rules/sql":          {project: []string{"redact/internal/ascii", "redact/internal/classify", "redact/internal/match", "redact/internal/names", "redact/internal/syntax", "redact/internal/rules/table", "redact/internal/value"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/syntax":             {project: []string{"redact/internal/ascii", "redact/internal/value"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/rules/table":        {project: []string{"redact/internal/ascii", "redact/internal/match", "redact/internal/names", "redact/internal/syntax", "redact/internal/value"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/rules/token":        {project: []string{"redact/internal/ascii", "redact/internal/match", "redact/internal/syntax", "redact/internal/value"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/rules/url":          {project: []string{"redact/internal/ascii", "redact/internal/match", "redact/internal/names", "redact/internal/syntax", "redact/internal/value"}, never: []string{"os", "net", "syscall"}},
	"redact/internal/utf16stream":        {never: []string{"os", "net", "syscall"}},
	"redact/internal/value":              {project: []string{"redact/internal/ascii"}, never: []string{"os", "net", "syscall"}},
	"redact/gitleaks":                    {project: []string{"redact", "internal/shared/tomltext"}, never: []string{"os", "net", "syscall"}},
	"artifact/internal/packed":           {never: []string{"os", "net", "syscall"}},
	"artifact/internal/stream":           {project: []string{"artifact/internal/filesys"}},
	"artifact":                           {project: []string{"artifact/internal/filesys", "artifact/internal/packed", "artifact/internal/partial", "artifact/internal/search", "artifact/internal/stream", "internal/platform/safefs"}},
	"artifact/internal/partial":          {project: []string{"artifact/internal/filesys", "internal/platform/safefs"}},
	"artifact/internal/filesys":          {project: []string{"internal/platform/filelock", "internal/platform/safefs"}},
	"artifact/internal/search":           {project: []string{"internal/shared/dfa"}, never: []string{"os", "net", "syscall"}},
	"detect":                             {never: []string{"os", "net", "syscall"}},
	"job": {
		project: []string{"wrap", "envelope", "artifact", "redact", "internal/platform/filelock", "internal/platform/safefs", "internal/platform/proc"},
		modules: []string{"github.com/oklog/ulid/v2", "golang.org/x/sys"},
	},
	"internal/platform/launch":    {never: []string{"net"}},
	"internal/platform/scratch":   {project: []string{"internal/platform/filelock", "internal/platform/safefs"}},
	"internal/platform/filelock":  {modules: []string{"golang.org/x/sys"}},
	"internal/shared/exitcode":    {project: []string{"internal/shared/outcome", "internal/shared/shell"}, never: []string{"os", "net", "syscall"}},
	"internal/shared/failpattern": {project: []string{"internal/shared/escape", "internal/shared/outcome"}, never: []string{"os", "net", "syscall"}},
	"internal/shared/testreport":  {never: []string{"os", "net", "syscall", "regexp"}},
	"internal/shared/escape":      {never: []string{"os", "net", "syscall"}},
	"internal/shared/outcome":     {never: []string{"os", "net", "syscall"}},
	"internal/platform/safefs":    {project: []string{"internal/shared/hints"}, modules: []string{"golang.org/x/sys"}},
	"internal/shared/errtext":     {never: []string{"os", "net", "syscall"}},
	"internal/shared/tomltext":    {modules: []string{"github.com/BurntSushi/toml"}, never: []string{"os", "net", "syscall"}},
	"internal/shared/jsontext":    {never: []string{"os", "net", "syscall"}},
	"cmd/envwrap-net":             {project: []string{"artifact", "envelope", "internal/app/mcpserver", "internal/app/companion", "internal/app/jq", "internal/app/report", "internal/platform/safefs", "internal/shared/errtext", "internal/app/remote", "internal/app/remoteconfig"}, modules: []string{"github.com/modelcontextprotocol/go-sdk", "golang.org/x/term"}},
	"internal/app/remote":         {project: []string{"artifact", "internal/platform/safefs", "internal/app/remoteconfig"}, modules: []string{"github.com/minio/minio-go/v7"}},
	"internal/shared/limitbuf":    {},
	"internal/shared/dfa":         {never: []string{"os", "net", "syscall"}},
	"internal/app/companion":      {project: []string{"internal/platform/launch", "internal/shared/limitbuf"}, never: []string{"net"}},
	"internal/app/remoteconfig":   {project: []string{"artifact", "internal/app/companion", "internal/platform/safefs"}, never: []string{"net/http"}},
	"internal/app/toolanswer":     {project: []string{"envelope"}, never: []string{"os", "net", "syscall"}},
	"internal/app/mcpserver":      {project: []string{"detect", "envelope", "internal/app/toolanswer", "internal/shared/errtext", "internal/shared/limitbuf", "internal/shared/jsontext"}, modules: []string{"github.com/modelcontextprotocol/go-sdk"}},
	"internal/shared/pipeline":    {project: []string{"internal/shared/hints", "internal/shared/shell"}, never: []string{"os", "net", "syscall"}},
	"internal/shared/shell":       {modules: []string{"mvdan.cc/sh/v3/syntax"}, never: []string{"os", "net", "syscall"}},
	"internal/platform/proc":      {never: []string{"os/exec", "net"}},
	"internal/app/trust":          {project: []string{"internal/platform/safefs"}},
	"internal/shared/term":        {project: []string{"internal/shared/jsontext"}, modules: []string{"golang.org/x/term", "golang.org/x/text"}, never: []string{"net"}},
	"internal/app/report":         {project: []string{"internal/app/runlog", "internal/app/stats", "internal/shared/term"}, never: []string{"net"}},
	"internal/app/stats":          {project: []string{"internal/app/runlog", "internal/shared/pipeline", "internal/shared/shell"}, never: []string{"os", "net", "syscall"}},
	"internal/app/runlog":         {project: []string{"internal/platform/safefs", "internal/shared/hints", "internal/shared/jsontext"}},
	"internal/app/cache":          {project: []string{"wrap", "envelope", "internal/platform/filelock", "internal/platform/safefs"}, modules: []string{"github.com/bmatcuk/doublestar/v4"}},
	"examples/consumer":           {},
	"internal/app/below":          {project: []string{"internal/shared/jsontext", "internal/shared/hints", "internal/shared/shell", "internal/shared/tomltext", "internal/platform/safefs"}, never: []string{"net"}},
	"internal/shared/hints":       {never: []string{"os", "net", "syscall"}},
	"internal/test/matrix":        {},
	"internal/test/redactcases":   {},
	"internal/test/testenv":       {project: []string{"internal/platform/proc"}, modules: []string{"golang.org/x/sys"}},
	"internal/app/jq":             {modules: []string{"github.com/itchyny/gojq"}, never: []string{"os", "net", "syscall"}},
	// The developers' tools, a module of their own.
	"tools/bench":         {project: []string{"artifact"}, modules: []string{"golang.org/x/sys"}},
	"tools/bench/floor":   {},
	"tools/bench/hostile": {project: []string{"artifact", "envelope", "excerpt", "redact", "internal/test/redactcases"}},
	"tools/internal/root": {},
	"tools/layers":        {project: []string{"tools/internal/root"}},
	"tools/lint":          {modules: []string{"*"}},
	"tools/mutate":        {project: []string{"tools/internal/root"}},
	"tools/score":         {project: []string{"redact", "internal/test/redactcases", "tools/internal/root"}},
	"tools/soak":          {},
}

// verbsUse returns the packages that a package of verbs may import: the common ones, and
// more.
func verbsUse(more ...string) []string {
	return append(more, "internal/app/cli", "internal/platform/safefs", "internal/app/session", "internal/shared/errtext", "internal/shared/hints", "internal/shared/term")
}

// Only programs may see the process that they are part of: the command line's
// own package, and those that package main marks. Everything else is handed its
// clock, its environment and its streams.
var worldly = map[string][]string{
	"os": {
		"Args", "Environ", "Exit", "ExpandEnv", "Getenv", "LookupEnv", "Setenv", "Unsetenv",
		"Stdin", "Stdout", "Stderr",
	},
	"time": {"Now", "Since", "Until"},
}

// An exception is a package that uses globals of the process all the same, and why.
var exceptions = []struct{ pkg, name, why string }{
	{"wrap", "time.Now", "its time limits are those of a real process; the default of Command.Now"},
	{"wrap/internal/proctree", "time.Now", "it waits for processes to end"},
	{"wrap", "time.Since", "its time limits are those of a real process"},
	{"wrap", "os.Stdout", "where there is no exec, a command that is passed through gets the streams of this process"},
	{"wrap", "os.Stderr", "where there is no exec, a command that is passed through gets the streams of this process"},
	{"artifact", "time.Now", "the wait for a lock is real; the default of the store's clock"},
	{"artifact", "time.Since", "doctor measures a real disk"},
	{"internal/app/remote", "time.Now", "its time limits are those of real connections"},
	{"internal/app/remote", "time.Since", "its time limits are those of real connections"},
	{"internal/app/remote", "time.Until", "it compares a server's clock with the real one"},
	{"job", "time.Now", "killed processes take real time to end"},
	{"internal/app/cli/clitest", "os.Getenv", "the programs that tests run are on the PATH"},
	{"internal/app/cli/clitest", "os.Setenv", "the test binary is also the program on the PATH"},
	{"internal/app/cli/clitest", "os.Stderr", "a fault of the package's tests as a whole belongs to none of them"},
	{"internal/app/cli/clitest", "os.Exit", "the test binary is also the program on the PATH"},
	{"internal/test/testenv", "os.Args", "it starts the tests again"},
	{"internal/test/testenv", "os.Environ", "it makes the environment of tests"},
	{"internal/test/testenv", "os.Getenv", "it makes the environment of tests"},
	{"internal/test/testenv", "os.LookupEnv", "it makes the environment of tests"},
	{"internal/test/testenv", "os.Setenv", "it makes the environment of tests"},
	{"internal/test/testenv", "os.Unsetenv", "it makes the environment of tests"},
	{"internal/test/testenv", "os.Stderr", "a fault of the package's tests as a whole belongs to none of them"},
	{"internal/test/matrix", "os.Getenv", "it is a part of tests, and the environment says how much to run"},
}

func TestArrows(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range sources(t) {
		seen[f.pkg] = true
		rule, ok := packages[f.pkg]
		if !ok {
			t.Errorf("%s: package %q is not in the table of arrows", f.name, f.pkg)
			continue
		}
		for _, imported := range f.imports {
			if why := rule.forbids(imported); why != "" {
				t.Errorf("%s imports %q: %s", f.name, imported, why)
			}
			if leavesShared(f.pkg, imported) {
				t.Errorf("%s imports %q, which is above internal/shared", f.name, imported)
			}
		}
	}
	if len(seen) < 5 || !seen["."] || !seen["internal/app/cli"] || !seen["envelope"] {
		t.Fatalf("found only the packages %v", slices.Sorted(maps.Keys(seen)))
	}
}

// leavesShared reports whether a package of internal/shared, the lowest floor, imports one
// of another floor.
func leavesShared(pkg, imported string) bool {
	inside, own := strings.CutPrefix(imported, module+"/")
	return own && within(pkg, shared) && !within(inside, shared)
}

const shared = "internal/shared"

func TestLeavesShared(t *testing.T) {
	for _, c := range []struct {
		pkg, imported string
		want          bool
	}{
		{shared + "/exitcode", module + "/envelope", true},
		{shared + "/exitcode", module + "/internal/platform/proc", true},
		{shared + "/exitcode", module + "/" + shared + "/shell", false},
		{shared + "/exitcode", "strings", false},
		{"envelope", module + "/" + shared + "/outcome", false},
		{"envelope", module + "/excerpt", false},
	} {
		if got := leavesShared(c.pkg, c.imported); got != c.want {
			t.Errorf("%s imports %s: %t, want %t", c.pkg, c.imported, got, c.want)
		}
	}
}

// forbids says why a package may not import another, or nothing where it may.
func (a arrows) forbids(imported string) string {
	first, _, _ := strings.Cut(imported, "/")
	switch inside, own := strings.CutPrefix(imported, module+"/"); {
	case own:
		if !slices.Contains(a.project, inside) && !slices.Contains(a.project, "*") {
			return "no arrow leads there"
		}
	case strings.Contains(first, "."):
		if !slices.ContainsFunc(a.modules, func(m string) bool { return m == "*" || within(imported, m) }) {
			return "this package does not use that module"
		}
	default:
		if slices.ContainsFunc(a.never, func(n string) bool { return within(imported, n) }) {
			return "this package never touches that"
		}
	}
	return ""
}

// within reports whether a package is another one or below it.
func within(pkg, parent string) bool {
	return pkg == parent || strings.HasPrefix(pkg, parent+"/")
}

// slow are packages that a release must not link, whoever imports them: net and
// what is built on it cost memory and start-up, runtime/cgo loads the C library,
// runtime/metrics and zstd make tables at once (0.1 ms each), and gojq parses its
// library of functions (0.2 ms and 70 page faults). Releases are built with
// CGO_ENABLED=0: where a C compiler is found and cgo is on, os/user (of
// archive/tar) links the C library, and each start takes 0.8 ms longer.
var slow = []string{"net", "runtime/cgo", "runtime/metrics", "net/http", "html/template", "github.com/itchyny/gojq", "github.com/klauspost/compress/zstd"}

func TestNothingSlowIsLinked(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("list what the program links: %v", err)
	}
	linked := strings.Fields(string(out))
	if !slices.Contains(linked, module+"/internal/app/cli") {
		t.Fatalf("the list of %d packages is without our own", len(linked))
	}
	for _, pkg := range slow {
		if slices.Contains(linked, pkg) {
			t.Errorf("the program links %s (go mod why -m or go list -deps say by whom)", pkg)
		}
	}
}

// Running a template calls methods by name, so a program that can do it keeps every
// exported method of its packages: 1.1 MB more, and 3 % more time for each start.
func TestNoTemplateIsLinked(t *testing.T) {
	file, err := exec.LookPath("envwrap")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	// The names of functions are in every Go program, also in one without symbols.
	if !bytes.Contains(program, []byte(module+"/internal/app/cli.Main")) {
		t.Fatalf("%s has no names of functions", file)
	}
	if bytes.Contains(program, []byte("text/template.(*Template).Execute")) {
		t.Error("the program can run templates (find out by whom: go build -ldflags=-dumpdep, then look for text/template.(*Template).Execute)")
	}
}

func TestTheWorldComesInAsArguments(t *testing.T) {
	looked := 0
	for _, f := range sources(t) {
		if f.program || f.pkg == "internal/app/cli" {
			continue
		}
		looked++
		for _, use := range f.uses {
			if !excepted(f.pkg, use) {
				t.Errorf("%s uses %s: hand it in as an argument", f.name, use)
			}
		}
	}
	if looked < 10 {
		t.Fatalf("looked at %d files only", looked)
	}
}

func excepted(pkg, use string) bool {
	for _, e := range exceptions {
		if e.pkg == pkg && e.name == use {
			return true
		}
	}
	return false
}

// A source is one Go file that is built for some platform, and no test.
type source struct {
	name    string // with its directory, slashes between
	pkg     string // its directory, "." for the top
	program bool   // it is in a package main
	imports []string
	uses    []string // names of worldly that it uses, "os.Exit"
}

func sources(t *testing.T) []source {
	t.Helper()
	files, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// parsed returns the sources of the project.
var parsed = sync.OnceValues(func() (files []source, err error) {
	err = filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && skipped(d.Name()):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		f, err := parse(filepath.ToSlash(name))
		files = append(files, f)
		return err
	})
	return files, err
})

// skipped reports whether the go command leaves a directory out.
func skipped(dir string) bool {
	return dir == "testdata" || dir == "dist" || dir == "vendor" || dir[0] == '.' || dir[0] == '_'
}

func parse(name string) (source, error) {
	s := source{name: name, pkg: path.Dir(name)}
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		return s, err
	}
	s.program = file.Name.Name == "main"
	local := map[string]string{} // what the file calls a package of worldly
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return s, err
		}
		s.imports = append(s.imports, imported)
		if worldly[imported] == nil {
			continue
		}
		local[imported] = imported
		if spec.Name != nil {
			delete(local, imported)
			local[spec.Name.Name] = imported
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && slices.Contains(worldly[local[x.Name]], sel.Sel.Name) {
				s.uses = append(s.uses, local[x.Name]+"."+sel.Sel.Name)
			}
		}
		return true
	})
	return s, nil
}

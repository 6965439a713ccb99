package excerpt

import (
	"strings"
	"sync"
)

// An evidenceKind says what a word is evidence of. It decides how much the word counts
// for an excerpt and for the one line that explains the failure.
type evidenceKind uint8

const (
	failure   evidenceKind = iota + 1 // names the failure
	cause                             // names the cause of another failure
	assertion                         // what was expected, and what was found
	verdict                           // reports a failure without a cause
	summary                           // counts what failed
	ending                            // reports a failure that other lines explain
	warning                           // went wrong and did not matter
	passing                           // went well
	denial                            // negates the word that follows
)

// whyPercent is the share of a word's weight that counts for the one line that explains
// the failure.
var whyPercent = [...]int{failure: 100, cause: 90, assertion: 100, verdict: 30, summary: 20, ending: 10, warning: 5, passing: 0, denial: 0}

// A row is a word that is evidence, or two words in a row. Words are compared
// without regard to case; a word is a run of letters.
type row struct {
	text   string
	kind   evidenceKind
	weight int    // 0 to 100
	tool   string // a tool that prints it
	sample string // a line with it
}

// isPair reports whether the row is two words.
func (r *row) isPair() bool { return strings.IndexByte(r.text, ' ') >= 0 }

// counts reports whether a number before the row says how many there were.
func (r *row) counts() bool {
	return r.kind == verdict || r.kind == summary || r.text == "error" || r.text == "errors"
}

// isGeneral reports whether the row reports a failure without naming it.
func (r *row) isGeneral() bool {
	return r.counts() || r.text == "aborted"
}

// rows is the evidence that is common to many tools. A row for one tool does
// not belong here unless the common ones fail for it.
var rows = []row{
	{"error", failure, 50, "gcc", "main.c:3:5: error: expected ';' before 'return'"},
	{"errors", failure, 34, "javac", "errors were found while compiling"},
	{"err", failure, 30, "logfmt", "level=err msg=\"no route\""},
	{"fatal", failure, 62, "git", "fatal: not a git repository"},
	{"panic", failure, 68, "Go", "panic: runtime error: index out of range [3]"},
	{"panicked", failure, 68, "Rust", "thread 'main' panicked at src/main.rs:4:5:"},
	{"exception", failure, 48, "Java", "Exception in thread \"main\" java.lang.IllegalStateException"},
	{"crash", failure, 50, "macOS", "crash report written"},
	{"crashed", failure, 52, "jest", "A worker process has crashed"},
	{"abort", failure, 42, "GnuPG", "abort: no repository found"},
	{"aborted", failure, 44, "bash", "Aborted (core dumped)"},
	{"aborting", ending, 36, "git", "Aborting"},
	{"segfault", failure, 68, "Linux", "app[12]: segfault at 0 ip 0000"},
	{"segmentation fault", failure, 68, "bash", "Segmentation fault (core dumped)"},
	{"core dumped", failure, 60, "bash", "Illegal instruction (core dumped)"},
	{"bus error", failure, 60, "zsh", "zsh: bus error  ./a.out"},
	{"critical", failure, 50, "Python logging", "CRITICAL:root:no disk"},
	{"severe", failure, 46, "java.util.logging", "SEVERE: could not bind"},
	{"emerg", failure, 50, "nginx", "nginx: [emerg] host not found in upstream"},
	{"killed", failure, 46, "bash", "Killed"},
	{"denied", failure, 48, "bash", "bash: ./x: Permission denied"},
	{"refused", failure, 48, "curl", "connect to localhost port 1: Connection refused"},
	{"rejected", failure, 50, "git", " ! [rejected]  main -> main (fetch first)"},
	{"forbidden", failure, 44, "HTTP", "403 Forbidden"},
	{"unauthorized", failure, 44, "HTTP", "401 Unauthorized"},
	{"unavailable", failure, 40, "HTTP", "503 Service Unavailable"},
	{"bad gateway", failure, 44, "HTTP", "502 Bad Gateway"},
	{"bad request", failure, 44, "HTTP", "400 Bad Request"},
	{"invalid", failure, 40, "go", "invalid operation: x + y"},
	{"illegal", failure, 40, "tar", "tar: illegal option -- y"},
	{"unexpected", failure, 38, "bash", "syntax error near unexpected token `fi'"},
	{"undefined", failure, 44, "ld", "undefined reference to `foo'"},
	{"undeclared", failure, 44, "gcc", "'x' undeclared (first use in this function)"},
	{"unresolved", failure, 44, "link.exe", "unresolved external symbol"},
	{"unable", failure, 44, "apt", "E: Unable to locate package foo"},
	{"cannot", failure, 42, "ls", "ls: cannot access 'x'"},
	{"couldn", failure, 42, "rustc", "couldn't read src/lib.rs"},
	{"can t", failure, 38, "ESLint", "ESLint couldn't find it, can't go on"},
	{"could not", failure, 42, "curl", "Could not resolve host: example.org"},
	{"didn t", failure, 28, "test runners", "the server didn't answer"},
	{"does not", failure, 24, "tsc", "Property 'a' does not exist on type 'B'"},
	{"did not", failure, 30, "buildkit", "did not complete successfully"},
	{"not exist", failure, 42, "psql", "relation \"t\" does not exist"},
	{"not found", failure, 44, "bash", "bash: foo: command not found"},
	{"not defined", failure, 44, "ESLint", "'foo' is not defined"},
	{"not match", failure, 54, "sha256sum", "WARNING: 1 computed checksum did NOT match"},
	{"not allowed", failure, 38, "MySQL", "Host is not allowed to connect"},
	{"not supported", failure, 36, "errno", "Operation not supported"},
	{"not permitted", failure, 44, "errno", "Operation not permitted"},
	{"not assignable", failure, 40, "tsc", "Type 'string' is not assignable to type 'number'"},
	{"not ok", verdict, 60, "TAP", "not ok 3 - adds"},
	{"no such", failure, 46, "errno", "No such file or directory"},
	{"no module", failure, 48, "Python", "No module named pytest"},
	{"no tests", failure, 44, "jest", "No tests found, exiting with code 1"},
	{"no rule", failure, 50, "make", "No rule to make target 'x'"},
	{"no files", failure, 44, "ESLint", "No files matching the pattern \"x.js\" were found."},
	{"no space", failure, 55, "errno", "No space left on device"},
	{"not a", failure, 22, "git", "git: 'stauts' is not a git command."},
	{"not an", failure, 22, "GNU", "x: not an ordinary file"},
	{"not look", failure, 40, "tar", "This does not look like a tar archive"},
	{"nothing to", failure, 34, "git", "nothing to commit, working tree clean"},
	{"nothing added", failure, 34, "git", "nothing added to commit but untracked files present"},
	{"too many", failure, 48, "HTTP", "429 Too Many Requests"},
	{"rate limit", failure, 44, "HTTP", "API rate limit reached"},
	{"requires", failure, 28, "Perl", "Global symbol \"$y\" requires explicit package name"},
	{"not known", failure, 44, "errno", "ping: nosuch: Name or service not known"},
	{"not used", failure, 40, "go", "./main.go:4:2: declared and not used: x"},
	{"not in", failure, 26, "go", "package lease is not in std"},
	{"not empty", failure, 40, "errno", "rmdir: x: Directory not empty"},
	{"not accessible", failure, 44, "GitHub", "Resource not accessible by integration"},
	{"not installed", failure, 44, "dpkg", "package lease is not installed"},
	{"not recognized", failure, 44, "cmd.exe", "'gti' is not recognized as an internal or external command"},
	{"not available", failure, 40, "apt", "Package lease is not available"},
	{"not valid", failure, 40, "many", "the lease is not valid"},
	{"not enough", failure, 44, "go", "not enough arguments in call to f"},
	{"not running", failure, 44, "systemctl", "the unit is not running"},
	{"not implemented", failure, 44, "errno", "Function not implemented"},
	{"not configured", failure, 40, "many", "the remote is not configured"},
	{"not resolve", failure, 42, "ssh", "could not resolve the name"},
	{"can not", failure, 42, "ld", "relocation can not be used when making a PIE object"},
	{"failed to", failure, 40, "Go", "failed to open database"},
	{"already exists", failure, 44, "git", "fatal: destination path 'x' already exists"},
	{"already in", failure, 40, "errno", "Address already in use"},
	{"exists already", failure, 40, "many", "column owner exists already"},
	{"file exists", failure, 40, "errno", "mkdir: x: File exists"},
	{"is locked", failure, 42, "SQLite", "database is locked"},
	{"is busy", failure, 40, "umount", "umount: /mnt: target is busy"},
	{"resource busy", failure, 44, "errno", "Device or resource busy"},
	{"too long", failure, 38, "errno", "Argument list too long"},
	{"too large", failure, 38, "errno", "File too large"},
	{"too small", failure, 36, "many", "the buffer is too small"},
	{"no route", failure, 46, "errno", "No route to host"},
	{"no required", failure, 44, "go", "no required module provides package example.com/x"},
	{"no default", failure, 36, "many", "there is no default remote"},
	{"bad substitution", failure, 44, "bash", "bash: ${x y}: bad substitution"},
	{"bad interpreter", failure, 46, "bash", "bash: ./x: bad interpreter"},
	{"bad credentials", failure, 46, "GitHub", "Bad credentials"},
	{"unbound", failure, 44, "bash", "bash: line 1: X: unbound variable"},
	{"division by", failure, 44, "bash", "bash: 1 / 0: division by 0"},
	{"premature", failure, 40, "many", "premature end of file"},
	{"duplicate", failure, 38, "psql", "duplicate key value"},
	{"redefinition", failure, 44, "gcc", "x.c:3:5: redefinition of 'f'"},
	{"redeclared", failure, 44, "go", "./main.go:4:2: f redeclared in this block"},
	{"multiple definition", failure, 46, "ld", "multiple definition of `f'"},
	{"ambiguous", failure, 40, "git", "ambiguous argument 'x'"},
	{"unmerged", failure, 40, "git", "you have unmerged files"},
	{"expired", failure, 44, "OpenSSL", "certificate has expired"},
	{"certificate problem", failure, 46, "curl", "SSL certificate problem"},
	{"connection closed", failure, 44, "ssh", "Connection closed by remote host"},
	{"hung up", failure, 40, "git", "The remote end hung up"},
	{"required", failure, 10, "argparse", "the following arguments are required: x"},
	{"must be", failure, 30, "many", "the port must be a number"},
	{"you must", failure, 34, "tar", "tar: You must specify one of the '-Acdtrux' options"},
	{"stale", failure, 34, "errno", "Stale file handle"},
	{"no matching", failure, 40, "pip", "No matching distribution found for foo"},
	{"timed out", failure, 48, "curl", "Connection timed out"},
	{"timeout", failure, 36, "test runners", "Timeout of 2000ms exceeded"},
	{"exceeded", failure, 38, "HTTP", "rate limit exceeded"},
	{"unreachable", failure, 44, "ssh", "Network is unreachable"},
	{"connection reset", failure, 48, "errno", "Connection reset by peer"},
	{"mismatch", failure, 48, "pip", "hash mismatch for package"},
	{"mismatched", failure, 44, "rustc", "mismatched types"},
	{"corrupt", failure, 48, "git", "loose object is corrupt"},
	{"corrupted", failure, 48, "glibc", "malloc(): corrupted top size"},
	{"malformed", failure, 44, "dpkg", "malformed line 3 in source list"},
	{"truncated", failure, 32, "gzip", "truncated input"},
	{"unterminated", failure, 44, "Python", "unterminated string literal"},
	{"conflict", failure, 42, "git", "CONFLICT (content): Merge conflict in a.txt"},
	{"conflicts", failure, 34, "npm", "conflicts with the peer dependency"},
	{"unrecognized", failure, 40, "GNU", "unrecognized option '--foo'"},
	{"unsupported", failure, 36, "many", "unsupported protocol scheme"},
	{"unknown", failure, 32, "many", "unknown command \"foo\""},
	{"missing", failure, 36, "go", "missing go.sum entry"},
	{"deadlock", failure, 60, "Go", "all goroutines are asleep - deadlock!"},
	{"data race", failure, 60, "Go", "WARNING: DATA RACE"},
	{"overflows", failure, 42, "ld", "region FLASH overflows by 412 bytes"},
	{"overflowed", failure, 42, "ld", "region `FLASH' overflowed by 412 bytes"},
	{"differs", failure, 38, "git", "the digest differs from that of the manifest"},
	{"overflow", failure, 36, "many", "stack buffer overflow"},
	{"leak", failure, 36, "LeakSanitizer", "Direct leak of 12 byte(s)"},
	{"violation", failure, 46, "SQL", "foreign key constraint violation"},
	{"violates", failure, 46, "psql", "new row violates check constraint"},
	{"exhausted", failure, 42, "JVM", "heap space exhausted"},
	{"uncaught", failure, 50, "node", "Uncaught (in promise)"},
	{"unhandled", failure, 48, "node", "Unhandled rejection"},
	{"broken", failure, 38, "errno", "Broken pipe"},
	{"wrong", failure, 32, "many", "wrong number of arguments"},
	{"incompatible", failure, 40, "mypy", "Incompatible types in assignment"},
	{"incorrect", failure, 40, "many", "incorrect password"},
	{"inconsistent", failure, 40, "go", "inconsistent vendoring"},
	{"unsatisfied", failure, 42, "JVM", "unsatisfied link"},
	{"unmet", failure, 40, "npm", "unmet peer dependency"},
	{"unhealthy", failure, 44, "docker", "container is unhealthy"},
	{"oomkilled", failure, 66, "kubectl", "Reason: OOMKilled"},
	{"of memory", failure, 60, "many", "Out of memory"},
	{"of range", failure, 42, "many", "index out of range"},
	{"dubious", failure, 40, "git", "detected dubious ownership in repository"},
	{"enoent", failure, 42, "node", "ENOENT: open 'x'"},
	{"eacces", failure, 42, "node", "EACCES: mkdir '/x'"},
	{"eperm", failure, 42, "node", "EPERM: unlink 'x'"},
	{"econnrefused", failure, 44, "node", "connect ECONNREFUSED 127.0.0.1:1"},
	{"econnreset", failure, 44, "node", "read ECONNRESET"},
	{"etimedout", failure, 44, "node", "connect ETIMEDOUT"},
	{"enotfound", failure, 44, "node", "getaddrinfo ENOTFOUND x"},
	{"enospc", failure, 50, "node", "ENOSPC: write"},
	{"eaddrinuse", failure, 46, "node", "listen EADDRINUSE :::80"},
	{"eresolve", failure, 44, "npm", "npm error code ERESOLVE"},

	{"fehler", failure, 50, "German", "main.c:3:5: Fehler: expected ';'"},
	{"erreur", failure, 50, "French", "main.c:3:5: erreur: expected ';'"},
	{"errore", failure, 50, "Italian", "main.c:3:5: errore: expected ';'"},
	{"erro", failure, 50, "Portuguese", "main.c:3:5: erro: expected ';'"},
	{"fout", failure, 46, "Dutch", "fout: bestand ontbreekt"},
	{"fallo", failure, 46, "Spanish", "fallo de segmentación"},
	{"fehlgeschlagen", verdict, 48, "German", "Verbindung fehlgeschlagen"},
	{"échec", verdict, 48, "French", "échec de la connexion"},
	{"ошибка", failure, 50, "Russian", "ошибка: нет файла"},
	{"błąd", failure, 50, "Polish", "błąd: brak pliku"},
	{"hata", failure, 46, "Turkish", "hata: dosya yok"},
	{"エラー", failure, 50, "Japanese", "エラー: x"},
	{"오류", failure, 50, "Korean", "오류: x"},
	{"错误", failure, 50, "Chinese", "错误: x"},

	{"caused by", cause, 55, "Java", "Caused by: java.io.IOException"},
	{"root cause", cause, 50, "many", "root cause: no quota"},
	{"what went", cause, 40, "Gradle", "* What went wrong:"},
	{"due to", cause, 30, "pip", "Could not install packages due to an OSError"},
	{"because", cause, 20, "npm", "because it is not installed"},
	{"reason", cause, 26, "many", "Reason: no quota"},

	{"assertion", assertion, 46, "C", "Assertion `n > 0' failed."},
	{"assert", assertion, 34, "pytest", ">       assert f(1) == 2"},
	{"expected", assertion, 36, "jest", "Expected: 3"},
	{"expect", assertion, 26, "jest", "expect(received).toBe(expected)"},
	{"actual", assertion, 30, "JUnit", "actual: 4"},
	{"received", assertion, 24, "jest", "Received: 4"},
	{"got", assertion, 28, "Go", "    x_test.go:41: got 3, want 2"},
	{"want", assertion, 28, "Go", "    x_test.go:41: got 3, want 2"},

	{"fail", verdict, 50, "go test", "--- FAIL: TestPrune (0.01s)"},
	{"failed", verdict, 48, "pytest", "FAILED tests/test_x.py::test_a"},
	{"fails", verdict, 30, "many", "the build fails"},
	{"failing", verdict, 36, "mocha", "2 failing"},
	{"failure", verdict, 46, "googletest", "foo.cc:41: Failure"},
	{"failures", verdict, 40, "rspec", "Failures:"},
	{"traceback", verdict, 50, "Python", "Traceback (most recent call last):"},
	{"unsuccessful", verdict, 46, "many", "unsuccessful attempt"},
	{"unsuccessfully", verdict, 46, "many", "ended unsuccessfully"},
	{"rollback", verdict, 30, "psql", "ROLLBACK"},

	{"exit code", ending, 40, "npm", "Command failed with exit code 1."},
	{"exit status", ending, 40, "go", "exit status 2"},
	{"exited with", ending, 40, "make", "the process exited with 3"},
	{"return code", ending, 36, "many", "return code: 1"},
	{"with code", ending, 36, "many", "exiting with code 1"},
	{"non zero", ending, 36, "many", "returned non-zero exit status"},
	{"previous error", ending, 36, "rustc", "aborting due to previous error"},
	{"of errors", ending, 36, "make", "Target 'all' not remade because of errors."},
	{"previous errors", ending, 36, "tar", "Exiting with failure status due to previous errors"},
	{"compilation errors", ending, 40, "perl", "Execution of a.pl aborted due to compilation errors."},
	{"compilation terminated", ending, 40, "gcc", "compilation terminated."},
	{"remote repository", ending, 120, "git", "fatal: Could not read from remote repository."},
	{"errors while", ending, 70, "ctest", "Errors while running CTest"},
	{"error trace", ending, 70, "testify", "        \tError Trace:\t/src/lease_test.go:77"},
	{"stack traceback", ending, 40, "Lua", "stack traceback:"},
	{"encountered problems", ending, 40, "Terraform", "Error: Terraform encountered problems during initialisation"},
	{"exiting now", ending, 70, "tar", "tar: Error is not recoverable: exiting now"},
	{"returned status", ending, 40, "tar", "tar: Child returned status 1"},
	{"to rerun", ending, 40, "cargo", "error: test failed, to rerun pass `--bin x`"},
	{"debug log", ending, 10, "npm", "npm error A complete debug log of this run can be found in"},
	{"complete log", ending, 10, "npm", "npm error A complete log of this run can be found in"},

	{"summary", summary, 26, "pytest", "==== short test summary info ===="},
	{"problems", summary, 30, "ESLint", "12 problems (1 error, 11 warnings)"},
	{"problem", summary, 30, "ESLint", "1 problem (1 error, 0 warnings)"},
	{"tests", summary, 12, "jest", "Tests: 1 failed, 3 total"},

	{"warning", warning, 14, "gcc", "main.c:3:5: warning: unused variable 'x'"},
	{"warn", warning, 14, "npm", "npm WARN deprecated x"},
	{"notice", warning, 14, "rclone", "NOTICE: Config file not found - using defaults"},
	{"deprecated", warning, 8, "npm", "x is deprecated"},

	{"pass", passing, 0, "go test", "--- PASS: TestErrors (0.00s)"},
	{"passed", passing, 0, "pytest", "test_errors.py::test_failed PASSED"},
	{"ok", passing, 0, "cargo test", "test fails_well ... ok"},
	{"success", passing, 0, "many", "SUCCESS"},
	{"succeeded", passing, 0, "many", "succeeded"},
	{"successfully", passing, 0, "pip", "Successfully installed x"},

	{"went", denial, 0, "ESLint", "Oops! Something went wrong! :("},
	{"no", denial, 0, "many", "no errors"},
	{"not", denial, 0, "many", "not failed"},
	{"without", denial, 0, "many", "without errors"},
	{"zero", denial, 0, "many", "zero failures"},
	{"xfailed", passing, 0, "pytest", "701 xfailed"},
}

// A dictionary finds the rows of a word by its hash.
type dictionary struct {
	first  [64]uint64 // a set of the hashes of words that are a row, by 12 bits
	second [64]uint64 // and of those that end a row of two words
	table  [1024]entry
}

type entry struct {
	hash uint32
	row  *row
}

// evidenceDictionary returns the dictionary of all rows. It is built when the first text
// is read, not at start-up.
var evidenceDictionary = sync.OnceValue(func() *dictionary {
	d := new(dictionary)
	for i := range rows {
		r := &rows[i]
		word, last, pair := strings.Cut(r.text, " ")
		h := hashWord(word)
		if pair {
			end := hashWord(last)
			d.second[end>>6&63] |= 1 << (end & 63)
			h = pairOf(h, end)
		} else {
			d.first[h>>6&63] |= 1 << (h & 63)
		}
		d.add(h, r)
	}
	return d
})

func (d *dictionary) add(h uint32, r *row) {
	for i := h >> 12 & 1023; ; i = (i + 1) & 1023 {
		if d.table[i].row == nil {
			d.table[i] = entry{h, r}
			return
		}
	}
}

func (d *dictionary) find(h uint32) *row {
	for i := h >> 12 & 1023; ; i = (i + 1) & 1023 {
		if e := &d.table[i]; e.row == nil || e.hash == h {
			return e.row
		}
	}
}

func pairOf(before, h uint32) uint32 { return before*0x9e3779b1 ^ h*0x85ebca6b }

// hashWord returns the hash of a word, without regard to case.
func hashWord(w string) uint32 {
	h, _ := readWord([]byte(w), 0)
	return h
}

package blackbox

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// configSize is the size of a hostile configuration, the largest that is read.
const configSize = 1 << 20

// A hostileConfig is a kind of TOML that costs a decoder time or memory: head, then
// pieces up to configSize, then tail.
type hostileConfig struct {
	name, head string
	piece      func(i int) string
	tail       string
	// parts is how many keys and values a piece counts as; 0 if they do not count. Then
	// there is a second text with as many pieces as are allowed, and line ends for the
	// rest.
	parts int
}

// text returns the kind with at most n pieces.
func (h *hostileConfig) text(n int) string {
	var b strings.Builder
	b.WriteString(h.head)
	for i := range n {
		piece := h.piece(i)
		if b.Len()+len(piece)+len(h.tail) > configSize {
			break
		}
		b.WriteString(piece)
	}
	b.WriteString(h.tail)
	return b.String()
}

func always(text string) func(int) string { return func(int) string { return text } }

func numbered(format string) func(int) string {
	return func(i int) string { return fmt.Sprintf(format, i) }
}

// dotted returns a name n times, with dots.
func dotted(name string, n int) string { return strings.TrimSuffix(strings.Repeat(name+".", n), ".") }

// hostileConfigs are kinds that meet each limit, and kinds below all of them.
func hostileConfigs() []hostileConfig {
	const deep = 30
	open, closed := strings.Repeat("[", deep), strings.Repeat("]", deep)
	return []hostileConfig{
		// More than 32 levels.
		{"one dotted key", "", always("a."), "a=1", 0},
		{"one dotted table", "[", always("a."), "a]", 0},
		{"braces in braces", "a=", always("{a="), "", 0},
		{"arrays in arrays", "a=", always("["), "", 0},
		{"arrays and braces", "a=", always("[{b="), "", 0},
		{"quoted dotted key", "", always(`"a".'b'.`), "a=1", 0},
		{"hidden by long strings", "a='''[{'''\nb=\"\"\"\\\"\"\"\"\nc=", always("["), "", 0},
		// At most 32.
		{"dotted keys, one prefix", "", numbered(dotted("a", deep) + ".k%d=1\n"), "", deep + 1},
		{"dotted keys, each its own", "", numbered("k%d." + dotted("a", deep) + "=1\n"), "", deep + 1},
		{"dotted keys of 500 bytes", "", numbered("k%d." + dotted("aaaaaaaaaaaaaaa", deep) + "=1\n"), "", deep + 1},
		{"dotted quoted keys", "", numbered("\"k.%x\".'.'=1\n"), "", 2},
		{"tables, each its own", "", numbered("[k%d." + dotted("a", deep) + "]\n"), "", deep + 1},
		{"tables", "", numbered("[k%x]\n"), "", 1},
		{"keys", "", numbered("k%x=1\n"), "", 1},
		{"keys of a table of 500 bytes", "[" + strings.Repeat("k", 500) + "]\n", numbered("k%x=1\n"), "", 2},
		{"keys of a long table", "[" + strings.Repeat("k", configSize/2) + "]\n", numbered("k%x=1\n"), "", 0},
		{"keys of a deep table", "[" + dotted("a", deep) + "]\n", numbered("k%x=1\n"), "", deep + 1},
		{"keys of an inline table", "a={", numbered("k%x=1,"), "z=1}", 2},
		{"inline tables, deep", "", numbered("k%d=" + strings.Repeat("{a=", deep) + "1" + strings.Repeat("}", deep) + "\n"), "", deep * (deep + 3)},
		{"[[a]]", "", always("[[a]]\n"), "", 1},
		{"[[a.a.a]]", "", always("[[" + dotted("a", deep) + "]]\n"), "", deep},
		{"[[a]] and below", "", always("[[a]]\n[a.b]\n[[a.c]]\n"), "", 5},
		{"[[a]] of inline tables", "", always("[[a]]\nb=[{c=[{d=1}]}]\n"), "", 22},
		{"numbers", "a=[", always("1,"), "]", 1},
		{"booleans", "a=[", always("true,"), "]", 1},
		{"dates", "a=[", always("2020-01-01T00:00:00Z,"), "]", 1},
		{"empty strings", "a=[", always(`"",`), "]", 1},
		{"empty arrays", "a=[", always("[],"), "]", 2},
		{"empty tables", "a=[", always("{},"), "]", 2},
		{"tables in an array", "a=[", always("{b=1},"), "]", 4},
		{"deep arrays", "a=[", always(open + closed + ","), "]", 2 * deep},
		{"comments", "", always("#\n"), "", 1},
		{"comments in an array", "a=[", always("#\n"), "]", 1},
		{"names of variables", "secret=[", numbered(`"K%x",`), "]", 1},
		// What does not count.
		{"one long key", "", always("k"), "=1", 0},
		{"one long quoted key", `"`, always(`\\`), `"=1`, 0},
		{"escapes", `a="`, always(`\u00e9`), `"`, 0},
		{"backslashes", `a="`, always(`\\`), `"`, 0},
		{"joined lines", `a="""`, always("\\\n "), `"""`, 0},
		{"quotes", `a="""`, always(`a""`), `"""`, 0},
		{"single quotes", "a='''", always("a''"), "'''", 0},
		{"one comment", "#", always("x"), "", 0},
		{"line ends", "", always("\n"), "", 0},
		{"line ends and a fault", "", always("\n"), "=", 0},
		{"line ends and options", "", always("\n"), "pretty=true\ndetail='full'\nbudget='1000'\ntimeout='1m'", 0},
		{"CRLF", "", always("\r\n"), "", 0},
		{"CR", "", always("\r"), "", 0},
		{"spaces", "", always(" "), "", 0},
		{"a long number", "a=", always("1"), "", 0},
		{"a long float", "a=1.", always("1"), "", 0},
		{"a long date", "a=1-", always("1"), "", 0},
		{"dots in a float", "a=1", always(".1"), "", 0},
		{"a long word", "a=", always("t"), "", 0},
		{"bytes that are no UTF-8", "", always("\xff"), "", 0},
		{"no UTF-8 in a string", `a="`, always("\xff"), `"`, 0},
		{"NUL", "", always("\x00"), "", 0},
		{"NUL in a string", `aaaaaaa="`, always("\x00"), `"`, 0},
		{"UTF-16", "\xff\xfe", always("a\x00"), "", 0},
		{"a long name of a variable", `secret="`, always("K"), `"`, 0},
		{"a long value", `timeout="`, always("9"), `"`, 0},
		{"a value of controls", `format="`, always(`\u001b`), `"`, 0},
	}
}

// A weight is the processor time and memory of a run of envwrap.
type weight struct {
	time   time.Duration // of the processors
	memory int64         // the most, in bytes
	status int
	stdout string
	stderr string
}

// weigh runs envwrap below another one, which says what it cost.
func (a *account) weigh(args ...string) weight {
	a.Helper()
	line := []string{"--parse", "text", "--redact", "off", "--whole", "--", "sh", "-c", `cd "$1" && HOME=$2 && shift 2 && exec envwrap "$@"`, "sh", a.clone, a.home}
	a.mkdir("outer")
	outer := *a
	outer.clone, outer.env = a.home+"/outer", append(slices.Clone(a.env), "HOME="+a.home+"/outer")
	stdout, stderr, _ := outer.run(append(line, args...)...)
	var doc struct {
		Data struct {
			ExitCode       int `json:"exit_code"`
			Stdout, Stderr struct{ Text string }
			Usage          struct {
				User   int64 `json:"user_ms"`
				System int64 `json:"sys_ms"`
				Memory int64 `json:"max_rss_bytes"`
			}
		}
	}
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
		a.Fatalf("%v: %.500s%.500s", err, stdout, stderr)
	}
	d := &doc.Data
	return weight{time.Duration(d.Usage.User+d.Usage.System) * time.Millisecond, d.Usage.Memory, d.ExitCode, d.Stdout.Text, d.Stderr.Text}
}

// A configuration of 1 MiB, whatever is in it, costs at most 0.2 s and 64 MB. It counts
// processor time, and three times as much is allowed for busy machines. One of
// a project stops no run, and has one warning at most; of the others a fault is EARG.
func TestHostileConfigIsBounded(t *testing.T) {
	if testenv.Race {
		t.Skip("the detector's own time and memory are more than the limits")
	}
	t.Parallel()
	const mostTime, mostMemory = 3 * 200 * time.Millisecond, 64 << 20
	base := newAccount(t).weigh("--", "true")
	every := matrix.Every(24)
	for i, kind := range hostileConfigs() {
		type try struct {
			place, text string
			over        bool // the limit of keys and values
		}
		over := kind.parts > 0
		var tries []try
		if i%every == 0 {
			tries = append(tries, try{"clone/.envwrap.toml", kind.text(configSize), over})
		}
		if (i+1)%every == 0 && kind.parts > 0 {
			below := kind.text(19_900 / kind.parts)
			tries = append(tries, try{"clone/.envwrap.toml", below + strings.Repeat("\n", configSize-len(below)), false})
		}
		if (i+2)%(2*every) == 0 {
			tries = append(tries, try{".config/envwrap/config.toml", kind.text(configSize), over})
		}
		if (i+2)%(2*every) == every {
			tries = append(tries, try{"rules.toml", kind.text(configSize), over})
		}
		for n, try := range tries {
			t.Run(fmt.Sprintf("%s, %d", kind.name, n), func(t *testing.T) {
				a := newAccount(t)
				a.write(try.place, try.text)
				args := []string{"--", "true"}
				if try.place == "rules.toml" {
					args = append([]string{"--redact-config", a.home + "/rules.toml"}, args...)
				}
				got := a.weigh(args...)
				spent, memory := got.time-base.time, got.memory-base.memory
				t.Logf("%-28s %-28s %4d ms %3d MB  %d %.120q", kind.name, try.place, spent.Milliseconds(), memory>>20, got.status, got.stderr)
				if spent > mostTime || memory > mostMemory {
					t.Errorf("%v and %d MB", spent, memory>>20)
				}
				refused := got.status == cli.StatusFailed && strings.Contains(got.stdout, `"code":"EARG"`)
				if got.status != 0 && (!refused || try.place == "clone/.envwrap.toml") {
					t.Errorf("status %d: %s", got.status, got.stdout)
				}
				if n := strings.Count(got.stderr, "envwrap: "); n > 1 && try.place == "clone/.envwrap.toml" {
					t.Errorf("%d warnings: %s", n, got.stderr)
				}
				if tooMany := strings.Contains(got.stderr, "more than 20000 keys and values"); tooMany != try.over {
					t.Errorf("of %d parts each: %s", kind.parts, got.stderr)
				}
			})
		}
	}
}

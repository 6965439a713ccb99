package gitleaks

import (
	"fmt"
	"strings"
	"testing"
)

// Expressions that take long to parse are refused before they are parsed: each of these
// takes seconds, or hundreds of megabytes.
func TestExpensiveExpressions(t *testing.T) {
	for name, expr := range map[string]string{
		"long":                       strings.Repeat(".*", 100_000),
		"classes":                    strings.Repeat(`\pL|`, 1100) + "x",
		"classes in a class":         "[" + strings.Repeat(`\PL`, 1100) + "]",
		"ranges, by number":          "(?i)[" + strings.Repeat(`\x{80}-\x{1e942}`, 40) + "]",
		"ranges":                     "(?i)[" + strings.Repeat("\u0100-\U0001e000", 40) + "]",
		"counted repetitions":        strings.Repeat("(?:[a-z]{31}x){31}", 700),
		"ranges, flag in the middle": "x(?s-U:y)(?si:[" + strings.Repeat("\u0100-\U0001e000", 40) + "])",
	} {
		rule := fmt.Sprintf("[[rules]]\nid = 'a'\nregex = '''%s'''\n", expr)
		list := fmt.Sprintf("[[rules]]\nid = 'a'\nregex = 'a'\n[[rules.allowlists]]\nregexes = ['''%s''']\n", expr)
		for _, text := range []string{rule, list} {
			if _, _, err := Load("f", []byte(text)); err == nil || !strings.Contains(err.Error(), "too expensive") || !strings.Contains(err.Error(), `rule "a"`) {
				t.Errorf("%s: got %.200v", name, err)
			}
		}
	}
	for name, expr := range map[string]string{
		"a range of Chinese, ten times": "(?i)" + strings.Repeat(`[\x{4e00}-\x{9fff}]`, 10),
		"ranges where case counts":      "(?s)[" + strings.Repeat("\u0100-\U0001e000", 40) + "]",
		"some counted repetitions":      strings.Repeat("(?:[a-z]{31}x){31}", 200),
		"hyphens":                       "(?i)" + strings.Repeat("a-b", 1000),
	} {
		if _, _, err := Load("f", []byte("[[rules]]\nid = 'a'\nregex = '''"+expr+"'''\n")); err != nil {
			t.Errorf("%s: %.200v", name, err)
		}
	}
}

// Notices are few, however many there are to give.
func TestManyNotices(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "k%d = 1\n", i)
	}
	_, notices, err := Load("f", []byte(b.String()))
	if err != nil || len(notices) != mostNotices+1 || notices[mostNotices] != `"f": and 980 notices more` {
		t.Errorf("got %d notices, %v", len(notices), err)
	}
}

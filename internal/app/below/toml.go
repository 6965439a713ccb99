package below

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/envwrap/envwrap/internal/shared/tomltext"
)

// The functions of this file edit config.toml of Codex as text: comments and order stay.

const (
	tomlTable = "shell_environment_policy"
	tomlSet   = tomlTable + ".set"
)

// decodeSet returns what Codex would read: the whole document, its
// shell_environment_policy, and set in that; each is nil if it is missing.
func decodeSet(doc []byte) (all, policy, set map[string]any, err error) {
	if _, err := tomltext.Decode(bytes.TrimPrefix(doc, []byte(byteOrderMark)), &all); err != nil {
		return nil, nil, nil, fmt.Errorf("it is not TOML: %w", err)
	}
	policy, _ = all[tomlTable].(map[string]any)
	set, _ = policy["set"].(map[string]any)
	return all, policy, set, nil
}

// addTOML adds pairs to shell_environment_policy.set, and replaces a BASH_ENV there.
func addTOML(doc []byte, pairs [][2]string) ([]byte, error) {
	_, policy, set, err := decodeSet(doc)
	if err != nil {
		return nil, err
	}
	if err := checkIncludeOnly(policy, pairs); err != nil {
		return nil, err
	}
	text := string(doc)
	var missing [][2]string
	for _, p := range pairs {
		switch value, ok := set[p[0]].(string); {
		case !ok && set[p[0]] != nil, ok && value != p[1] && p[0] != "BASH_ENV":
			return nil, fmt.Errorf("%s.%s is set to %v already: take that out first", tomlSet, p[0], set[p[0]])
		case ok && value != p[1]:
			text = replaceTOML(text, value, p[1])
		case !ok:
			missing = append(missing, p)
		}
	}
	if len(missing) > 0 {
		text = insertTOML(text, missing)
	}
	if err := checkTOML(doc, []byte(text), pairs); err != nil {
		return nil, fmt.Errorf("%w: add these lines by hand:\n%s", err, linesByHand(string(doc), pairs))
	}
	return []byte(text), nil
}

// checkIncludeOnly returns an error if Codex would drop one of the variables: it applies
// include_only, a list of patterns whose case does not count, after set.
func checkIncludeOnly(policy map[string]any, pairs [][2]string) error {
	only, _ := policy["include_only"].([]any)
	if len(only) == 0 {
		return nil
	}
	for _, p := range pairs {
		if !slices.ContainsFunc(only, func(pattern any) bool {
			text, _ := pattern.(string)
			ok, _ := path.Match(strings.ToUpper(text), p[0])
			return ok
		}) {
			return fmt.Errorf("include_only of %s leaves out what envwrap needs: add \"BASH_ENV\" and \"SHLVL\" to that list", tomlTable)
		}
	}
	return nil
}

// dottedKey finds a key that makes the table set by dots.
var dottedKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[ \t]*((?:shell_environment_policy\.)?set\.)[A-Za-z0-9_"'-]+[ \t]*=`)
})

// linesByHand returns the lines that add pairs to a file that is not edited. A table that
// dotted keys have made cannot be opened again (TOML 1.0, Table), which the decoder here
// allows and that of Codex does not.
func linesByHand(text string, pairs [][2]string) string {
	found := dottedKey().FindStringSubmatch(text)
	if found == nil {
		return "[" + tomlSet + "]\n" + tomlLines(pairs)
	}
	var b strings.Builder
	for line := range strings.Lines(tomlLines(pairs)) {
		b.WriteString(found[1] + line)
	}
	return b.String()
}

// replaceTOML replaces the value of BASH_ENV, in quotes of the same kind.
func replaceTOML(text, from, to string) string {
	literal := "'" + to + "'"
	if strings.ContainsAny(to, "'\n") {
		literal = jsonString(to)
	}
	for form, value := range map[string]string{jsonString(from): jsonString(to), "'" + from + "'": literal} {
		pair := regexp.MustCompile(`(\bBASH_ENV[ \t]*=[ \t]*)` + regexp.QuoteMeta(form))
		if at := pair.FindStringSubmatchIndex(text); at != nil {
			return text[:at[3]] + value + text[at[1]:]
		}
	}
	return text
}

// insertTOML puts pairs into the table where that is, or at the end of the text.
func insertTOML(text string, pairs [][2]string) string {
	section, at := "", 0
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "[") {
			section = strings.TrimSpace(strings.Trim(strings.TrimSpace(strings.SplitN(trimmed, "#", 2)[0]), "[]"))
		}
		end := at + len(line)
		if section == tomlSet && strings.HasPrefix(trimmed, "[") {
			return endLine(text[:end]) + tomlLines(pairs) + text[end:]
		}
		key, _, ok := strings.Cut(trimmed, "=")
		key = strings.TrimSpace(key)
		if ok && section == "" && (key == tomlTable || key == tomlSet) {
			return text // an inline table cannot be added to from outside
		}
		if ok && (section == "" && strings.HasPrefix(key, tomlSet+".") || section == tomlTable && strings.HasPrefix(key, "set.")) {
			return text // a table made by dotted keys cannot be opened again (TOML 1.0, Table), which the decoder here allows
		}
		if ok && section == tomlTable && key == "set" {
			if brace := strings.IndexByte(line, '{'); brace >= 0 {
				var inline []string
				for _, p := range pairs {
					inline = append(inline, p[0]+" = "+jsonString(p[1]))
				}
				rest := strings.TrimLeft(line[brace+1:], " \t")
				separator := ", "
				if strings.HasPrefix(rest, "}") {
					separator = " "
				}
				return text[:at] + line[:brace+1] + " " + strings.Join(inline, ", ") + separator + rest + text[end:]
			}
		}
		at = end
	}
	if text = endLine(text); text != "" {
		text += "\n"
	}
	return text + "[" + tomlSet + "]\n" + tomlLines(pairs)
}

// removeTOML takes out the pairs if BASH_ENV is ours. If before is not "" BASH_ENV gets it
// back.
func removeTOML(doc []byte, pairs [][2]string, before string) ([]byte, error) {
	_, _, set, err := decodeSet(doc)
	if err != nil {
		return nil, err
	}
	if value, ok := set["BASH_ENV"].(string); !ok || !IsStartup(value) {
		return doc, nil
	}
	text := string(doc)
	var want any
	if before != "" {
		text, want = replaceTOML(text, set["BASH_ENV"].(string), before), before
	}
	for _, p := range pairs {
		if p[0] == "BASH_ENV" && before != "" {
			continue
		}
		value, _ := set[p[0]].(string)
		pair := p[0] + " = " + jsonString(value)
		for _, form := range []string{"\n" + pair + "\n", pair + ", ", ", " + pair, " " + pair, pair} {
			if strings.Contains(text, form) {
				keep := ""
				if form[0] == '\n' {
					keep = "\n"
				}
				text = strings.Replace(text, form, keep, 1)
				break
			}
		}
	}
	text = withoutEmptySet(text)
	if _, _, left, err := decodeSet([]byte(text)); err != nil || left["BASH_ENV"] != want {
		return nil, errors.New("BASH_ENV and SHLVL in " + tomlSet + " cannot be taken out: do it by hand")
	}
	return []byte(text), nil
}

// withoutEmptySet takes out the header of the table if nothing but comments is in that.
func withoutEmptySet(text string) string {
	header := "[" + tomlSet + "]\n"
	at := strings.Index("\n"+text, "\n"+header)
	if at < 0 {
		return text
	}
	rest := strings.TrimLeft(text[at+len(header):], "\n")
	for line := range strings.Lines(rest) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			break
		}
		if line != "" && line[0] != '#' {
			return text
		}
	}
	return strings.TrimSuffix(text[:at], "\n") + rest
}

// checkTOML makes sure that an edit has set the pairs and changed nothing else.
func checkTOML(before, after []byte, pairs [][2]string) error {
	was, _, setBefore, err := decodeSet(before)
	if err != nil {
		return err
	}
	is, policy, set, err := decodeSet(after)
	if err != nil {
		return errors.New("its form is not known")
	}
	for _, p := range pairs {
		if set[p[0]] != p[1] {
			return errors.New("its form is not known")
		}
		delete(set, p[0])
		delete(setBefore, p[0])
	}
	if wasPolicy, _ := was[tomlTable].(map[string]any); wasPolicy["set"] == nil {
		delete(policy, "set")
	}
	if was[tomlTable] == nil {
		delete(is, tomlTable)
	}
	if len(was)+len(is) > 0 && !reflect.DeepEqual(was, is) {
		return errors.New("its form is not known")
	}
	return nil
}

func tomlLines(pairs [][2]string) string {
	var b strings.Builder
	for _, p := range pairs {
		b.WriteString(p[0] + " = " + jsonString(p[1]) + "\n")
	}
	return b.String()
}

func endLine(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

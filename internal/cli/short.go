package cli

import "strings"

// spread takes short options apart that users write together: -fhelper is
// -f helper, -in is -i -n. Package flag knows one letter at a time. The values
// of options stay as they are, and so does all behind a word that stray calls a
// command which lacks its --.
func spread(args []string, options []*option, stray func(word string) bool) []string {
	known := map[string]*option{}
	for _, o := range options {
		known[o.name] = o
		if o.short != "" {
			known[o.short] = o
		}
	}
	var out []string
	for awaited := false; len(args) > 0; args = args[1:] {
		isOption := strings.HasPrefix(args[0], "-") && args[0] != "-"
		switch {
		case awaited:
			out, awaited = append(out, args[0]), false
		case isOption:
			var parts []string
			parts, awaited = apart(args[0], known)
			out = append(out, parts...)
		case stray(args[0]):
			return append(out, args...)
		default:
			out = append(out, args[0])
		}
	}
	return out
}

// apart splits one option; what is no group of short ones stays whole. awaits
// says whether its value is the next argument.
func apart(arg string, known map[string]*option) (parts []string, awaits bool) {
	name, _, hasValue := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
	if o := known[name]; o != nil {
		return []string{arg}, o.value != "" && !hasValue
	}
	for letters := arg[1:]; letters != ""; letters = letters[1:] {
		o := known[letters[:1]]
		switch {
		case o == nil:
			return []string{arg}, false
		case o.value == "":
			parts = append(parts, "-"+o.short)
		case len(letters) == 1:
			return append(parts, "-"+o.short), true
		default:
			return append(parts, "-"+o.short, strings.TrimPrefix(letters[1:], "=")), false
		}
	}
	return parts, false
}

package cli

import "strings"

// spread takes short options apart that users write together: -fhelper is
// -f helper, -in is -i -n. Package flag knows one letter at a time. The values
// of options stay as they are, and so does all after a word that stray calls a
// command which lacks its --.
func spread(args []string, options []*Option, stray func(word string) bool) []string {
	known := map[string]*Option{}
	for _, o := range options {
		known[o.Name] = o
		if o.Short != "" {
			known[o.Short] = o
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
func apart(arg string, known map[string]*Option) (parts []string, awaits bool) {
	name, _, hasValue := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
	if o := known[name]; o != nil {
		return []string{arg}, o.Value != "" && !hasValue
	}
	for letters := arg[1:]; letters != ""; letters = letters[1:] {
		o := known[letters[:1]]
		switch {
		case o == nil:
			return []string{arg}, false
		case o.Value == "":
			parts = append(parts, "-"+o.Short)
		case len(letters) == 1:
			return append(parts, "-"+o.Short), true
		default:
			return append(parts, "-"+o.Short, strings.TrimPrefix(letters[1:], "=")), false
		}
	}
	return parts, false
}

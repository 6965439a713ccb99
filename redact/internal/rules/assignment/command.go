package assignment

import (
	"bytes"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// Generates reports whether a command prints random text.
func Generates(command string) bool {
	return slices.ContainsFunc(Generators[:], func(g string) bool { return strings.Contains(command, g) })
}

// maxOutput is the most lines of a command among which the value is looked for that one after
// it is asked for: how many it prints is not known.
const maxOutput = 16

// AskedAlso returns what is expected of several commands, of which all is and what the next
// one is asked for, if anything.
func AskedAlso(all match.Pending, command string, next match.Pending) match.Pending {
	words := bytes.Fields([]byte(command))
	switch {
	case len(words) == 0:
	case next.Strength == names.None:
		all.Thing = all.Thing || strings.Contains(idPrograms, " "+string(words[0])+" ") || slices.ContainsFunc(words, digestProgram)
		if all.Strength == names.None {
			all.Lines = maxOutput
		} else if string(words[0]) != "echo" {
			all.Last = true
		}
	case all.Strength == names.None:
		next.Thing, next.Lines = next.Thing || all.Thing, all.Lines
		return next
	default:
		all.Strength, all.Op, all.More = max(all.Strength, next.Strength), syntax.OpIs, min(all.More, maxOutput)+1
	}
	return all
}

// ExpectPrinted notes that the next line may have the secret that the command at pos
// prints, if the command is not quoted in a sentence, by backquotes, writes to no file, and
// is no argument of another.
func ExpectPrinted(v *match.View, pos int) {
	rest := v.Text[pos:v.Hi]
	if len(rest) < maxInline && v.Next.Pending.Op != syntax.OpIs && !writesFile(rest) && !ascii.ContainsFold(rest, " --username") && !ascii.Contains(rest, '`') && !substituted(v.Text[v.Lo:pos]) && !printsOther(v.Text[v.Lo:v.Hi]) {
		v.Expect(names.Password, syntax.OpIs)
	}
}

// writesFile reports whether a command's output is redirected; where its messages go does not
// matter.
func writesFile(command []byte) bool {
	for i, c := range command {
		if before := command[:i]; c == '>' && !bytes.HasSuffix(before, []byte(" 2")) && !bytes.HasSuffix(before, []byte(" 2>")) {
			return true
		}
	}
	return false
}

// withoutMessages returns the end of a command without what it does with messages and if it
// fails: 2>/dev/null || true.
func withoutMessages(rest []byte) []byte {
	rest = syntax.TrimRight(rest)
	if len(rest) > maxInline {
		return rest
	}
	rest, _, _ = bytes.Cut(rest, []byte(" || "))
	for _, end := range [...]string{" 2>&1", " 2>/dev/null"} {
		rest = bytes.TrimSuffix(syntax.TrimRight(rest), []byte(end))
	}
	return rest
}

// queries are what asks such a command for the secret, without what precedes the last dot.
const queries = " SecretString value Value accessToken "

// ExpectQueried notes that the next line may have the secret that the option of the command
// at pos asks for.
func ExpectQueried(v *match.View, pos int) {
	command := v.Text[pos:min(v.Hi, pos+maxInline)]
	if _, query, ok := bytes.Cut(command, []byte(" --query")); ok {
		query = bytes.TrimLeft(query, " ='\"")
		if i := bytes.IndexAny(query, " '\""); i >= 0 {
			query = query[:i]
		}
		query = query[bytes.LastIndexByte(query, '.')+1:]
		if !strings.Contains(queries, " "+string(query)+" ") || string(query) == "Value" && !ascii.ContainsFold(command, "--with-decryption") {
			return
		}
	} else if !ascii.ContainsFold(command, " -field") {
		return
	}
	ExpectPrinted(v, pos)
}

// FindEntry notes that the next line may have the entry of a password store that the command
// at pos, which has no other argument, prints: $ pass prod/db.
func FindEntry(v *match.View, pos int) {
	_, entry, _ := bytes.Cut(v.Text[pos+len("$ "):v.Hi], []byte(" "))
	if entry, _, _ = bytes.Cut(withoutMessages(entry), []byte(" | ")); ascii.Contains(entry, '/') && !ascii.Contains(syntax.TrimRight(entry), ' ') && entry[0] != '-' {
		ExpectPrinted(v, pos)
	}
}

// substituted reports whether a substitution of a shell is open at the end of b, other than
// one that is shown: curl -H "Authorization: Bearer $(gh auth token)".
func substituted(b []byte) bool {
	i := bytes.LastIndex(b, []byte("$("))
	return i >= 0 && !ascii.Contains(b[i:], ')') && !bytes.HasSuffix(bytes.TrimRight(b[:i], " \""), []byte("echo"))
}

// parts precede the name of the part of a secret that a command prints.
var parts = [...]string{"-field=", "-field ", "op://", ".data.", "jq -r ."}

// publicParts are parts of a secret that are no secrets.
const publicParts = " username user login email host hostname server port url uri endpoint website region name id database dbname crt cert certificate ca arn type bucket version fingerprint commit path "

// printsOther reports whether a command prints a public part of a secret, the id or the digest
// of one.
func printsOther(command []byte) bool {
	if command = command[:min(len(command), maxInline)]; ascii.ContainsFold(command, "wg pubkey", "user.signingkey", " secret create ") {
		return true
	}
	if i := bytes.IndexByte(command, '|'); i >= 0 && slices.ContainsFunc(bytes.Fields(command[i+1:]), digestProgram) {
		return true
	}
	name := nameAfter(command, parts[:])
	if bytes.HasSuffix(name, []byte("secret_id")) || bytes.HasSuffix(name, []byte("secret-id")) {
		return false // of Vault's AppRole: a secret
	}
	if name != nil {
		return strings.Contains(publicParts, lastWord(name)) || ascii.ContainsFold(name, "public")
	}
	words := bytes.Fields(command)
	if n := len(words); n > 2 && ascii.Contains(words[n-2], '/') && strings.Contains(publicParts, " "+string(words[n-1])+" ") {
		return true // gopass show prod/db username
	}
	return strings.Contains(" user username login ami version build ", lastWord(nameAfter(command, wholes[:])))
}

// wholes are what precedes the name of a whole secret: db-host may be what a password is for.
var wholes = [...]string{"--secret=", "--name ", "secrets/"}

// nameAfter returns the name after the last of the signs in a command, nil if it has none.
func nameAfter(command []byte, signs []string) []byte {
	at := 0
	for _, sign := range signs {
		for i := 0; ; i++ { // from the left, which is ten times as fast as LastIndex
			n := bytes.Index(command[i:], []byte(sign))
			if n < 0 {
				break
			}
			i += n
			at = max(at, i+len(sign))
		}
	}
	if at == 0 {
		return nil
	}
	return command[at:][:ascii.Run(command[at:], ascii.URLSafe|ascii.Base64|ascii.Dot)]
}

// lastWord returns the last word of a name, in small letters between blanks.
func lastWord(name []byte) string {
	return " " + strings.ToLower(string(name[bytes.LastIndexAny(name, "/._-")+1:])) + " "
}

// digestProgram reports whether a word of a command is a program that prints a digest.
func digestProgram(w []byte) bool {
	kind, ok := bytes.CutSuffix(bytes.TrimLeft(w, "|"), []byte("sum"))
	return ok && (len(kind) == 0 || string(kind) == "md5" || bytes.HasPrefix(kind, []byte("sha")))
}

// FindDecoded notes that the next line may have what a command prints that decodes a
// secret, by its end at pos: kubectl get secret db -o jsonpath={.data.password} | base64 -d.
func FindDecoded(v *match.View, pos int) {
	if len(withoutMessages(v.Text[pos:v.Hi])) <= len("base64 --decode ; echo") && ascii.ContainsFold(v.Text[max(v.Lo, pos-maxInline):pos], "secret") && !printsOther(v.Text[v.Lo:v.Hi]) {
		v.Expect(names.Password, syntax.OpIs)
	}
}

// FindStored notes that the next line may have the member of a Secret of Kubernetes that the
// command at pos prints: kubectl get secret db -o jsonpath={.data.password}.
func FindStored(v *match.View, pos int) {
	_, member, _ := bytes.Cut(v.Text[pos:min(v.Hi, pos+maxInline)], []byte(".data."))
	n := ascii.Run(member, ascii.Word|ascii.Dash)
	if n < len(member) && member[n] == '}' && names.StrengthOf(member[:n], nil) >= names.Medium {
		ExpectPrinted(v, pos)
	}
}

// noteCommand notes that the next line may have what a command after a prompt prints, which
// names it: $ jq -r .access_token creds.json. A file such as token.pem is no name of what is printed.
func noteCommand(v *match.View, st names.Strength, name syntax.Name, op syntax.Operator) {
	if name.End < v.Hi && v.Text[name.End] == '.' {
		return
	}
	switch {
	case st < names.Strong, op != syntax.OpNone && op != syntax.OpBeside, !followsPrompt(v.Text[v.Lo:v.Hi]), printsOther(v.Text[v.Lo:v.Hi]):
	case selectsMember(name), asksFor(name):
		v.Expect(st, syntax.OpIs)
	default:
		v.Expect(names.Strong, syntax.OpProse)
	}
}

// followsPrompt reports whether a line is a command after a prompt.
func followsPrompt(line []byte) bool { return bytes.HasPrefix(line, []byte("$ ")) }

// givenToOption reports whether the name is that of a variable that an option of a command
// has, which prints something else: $ vercel deploy --token $VERCEL_TOKEN.
func givenToOption(n syntax.Name) bool {
	before, ok := bytes.CutSuffix(n.Text[n.Lo:n.Start], []byte{'$'})
	before = bytes.TrimRight(before, " ")
	option := before[bytes.LastIndexByte(before, ' ')+1:]
	return ok && len(option) > len("--") && bytes.HasPrefix(option, []byte("--")) && followsPrompt(n.Text[n.Lo:n.Hi])
}

// idPrograms print ids and digests of what their last argument names. Those of clouds print
// secrets, too, if the command or an option asks for them.
const (
	idPrograms    = " git docker podman nerdctl helm "
	cloudPrograms = " kubectl az gcloud aws gh "
)

// printing are parts of commands that print what the last argument names, not its id.
var printing = [...]string{" config ", " exec ", " run ", "HEAD:", " cat-file "}

// asking are parts of commands of clouds that print a secret.
var asking = [...]string{" token", "-q", "--jq", "get-", "print-", "show-", "generate-", "reset-"}

// namesThing reports whether the name is that of a file, a commit, a container or the like,
// of which a command prints something: $ git rev-parse api_key.
func namesThing(n syntax.Name) bool {
	line := n.Text[n.Lo:n.End]
	program, _, _ := bytes.Cut(line[len("$ "):], []byte(" "))
	word := " " + string(program[bytes.LastIndexByte(program, '/')+1:]) + " "
	switch {
	case strings.Contains(idPrograms, word):
		return !containsAny(line, printing[:])
	case strings.Contains(cloudPrograms, word):
		return !containsAny(line, printing[:]) && !containsAny(line, asking[:])
	}
	return false
}

// containsAny reports whether b has one of the parts in it.
func containsAny(b []byte, parts []string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return bytes.Contains(b, []byte(p)) })
}

// idOfThing reports whether b may be the id or the digest of a commit, a container or the
// like.
func idOfThing(b []byte) bool {
	return len(b) >= len("8d1f03a") && len(b) <= 64 && ascii.Run(b, ascii.HexDigit) == len(b) && !bytes.ContainsAny(b, "ABCDEF")
}

// selectsMember reports whether the name is that of the member that jq, yq or sops prints: jq -r .token auth.json.
func selectsMember(n syntax.Name) bool {
	line, rest := n.Text[n.Lo:n.Start], bytes.TrimLeft(withoutMessages(n.Text[n.End:n.Hi]), "'\"")
	if bytes.HasSuffix(line, []byte(`["`)) && len(rest) > 0 && rest[0] == ']' {
		rest = bytes.TrimLeft(rest, "]'\"")
	} else if n.Text[n.Start] != '.' {
		return false
	}
	return containsAny(line, []string{"jq ", "yq ", "sops "}) && (len(rest) == 0 || rest[0] == ' ') && !ascii.Contains(rest, '|') && !writesFile(rest)
}

// askingWords precede the name of a setting or file, in a command, that it prints.
const askingWords = " printenv get config:get --get -raw --raw --fields output cat "

// asksFor reports whether the line asks a shell or an interpreter for the value of the name,
// which it then prints on the next: $ echo $NAME, >>> settings.NAME.
func asksFor(n syntax.Name) bool {
	rest := n.Text[n.End:n.Hi]
	if followsPrompt(n.Text[n.Lo:n.Hi]) {
		if rest = withoutMessages(rest); bytes.HasPrefix(rest, []byte(" -")) && !bytes.ContainsAny(rest, "|>;&") {
			rest = nil // options
		}
	}
	if rest = syntax.TrimRight(rest); len(rest) > 0 && !syntax.IsQuote(rest[0]) && rest[0] != '}' || len(bytes.Trim(rest, "\"'])}")) > 0 {
		return false // or of something that the value is given to: len(NAME)
	}
	line := n.Text[n.Lo:n.End]
	expr := line[bytes.LastIndexByte(line, ' ')+1:]
	prompt := bytes.TrimRight(line[:len(line)-len(expr)], " ")
	switch {
	case followsPrompt(line) && strings.Contains(askingWords, " "+string(prompt[bytes.LastIndexByte(prompt, ' ')+1:])+" "):
		return true
	case bytes.HasSuffix(prompt, []byte("echo")), bytes.HasSuffix(prompt, []byte("printenv")):
		shell := bytes.TrimRight(prompt[:bytes.LastIndexByte(prompt, ' ')+1], " ") // the next line of a script is no answer
		return len(shell) > 0 && strings.IndexByte("$#%>", shell[len(shell)-1]) >= 0 && (ascii.Contains(expr, '$') || bytes.HasSuffix(prompt, []byte("printenv")))
	case bytes.HasPrefix(expr, []byte("$env:")):
		return bytes.HasSuffix(prompt, []byte(">"))
	case len(prompt) == 0, ascii.Contains(expr, '='):
		return false
	case prompt[0] == '(' && (bytes.HasSuffix(prompt, []byte(") p")) || bytes.HasSuffix(prompt, []byte(") print"))): // of a debugger
		return true
	case string(prompt) == ">":
		return bytes.ContainsAny(expr, ".[>")
	}
	first, _, _ := bytes.Cut(prompt, []byte(" "))
	return string(prompt) == ">>>" || bytes.HasPrefix(prompt, []byte("In [")) || len(first) > 1 && first[len(first)-1] == '>' && ascii.Is(first[0], ascii.Lower)
}

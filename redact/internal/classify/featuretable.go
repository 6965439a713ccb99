package classify

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// featureTable has, for each feature, the phrase for a value that has it, and the function
// that finds it.
var featureTable = [...]struct {
	says string
	of   func(c *candidate) bool
}{
	looksRandom: {says: "looks random"}, // as the row has it, from a number of bytes on
	abridged: {"is the beginning of a token, with dots for the rest, or the place of a page", func(c *candidate) bool {
		return bytes.HasPrefix(c.t.Bytes, []byte("next:")) || bytes.HasPrefix(c.t.Bytes, []byte("prev:")) || bytes.HasPrefix(c.t.Bytes, []byte("next%3A")) || bytes.HasPrefix(c.t.Bytes, []byte("prev%3A")) ||
			c.t.Len < syntax.MaxAbridged && (bytes.HasSuffix(c.t.Bytes, []byte("..")) || c.Truncated(c.Value.End))
	}},
	always:    {"is in quotes", func(*candidate) bool { return true }},
	announced: {"is given as the password by a sentence", func(c *candidate) bool { return c.announced() }},
	basicPair: {"is user:password in base64, or the key of a user", func(c *candidate) bool { return c.basicPair() || c.keyOfUser() }},
	byteCodes: {"is binary data, as the codes of its bytes", func(c *candidate) bool { return c.t.EscapedBytes() }},
	cacheKey:  {"is words and a digest or a version", func(c *candidate) bool { return c.t.CacheKey() }},
	caption:   {"is a text of a form", func(c *candidate) bool { return c.t.Caption() }},
	programName: {"is a variable or a constant of a program", func(c *candidate) bool {
		switch {
		case c.t.Bytes[0] == '#' && c.t.Len == len("#rrggbb") && c.t.Hexes == c.t.Len-1 && c.Op == syntax.OpColon && c.Value.End < c.Hi && c.Text[c.Value.End] == ';':
			return true // a colour
		case bytes.HasPrefix(c.Text[c.Value.End:c.Hi], []byte(" ? ")), c.Op == syntax.OpColon && bytes.HasPrefix(c.Text[c.Value.End:c.Hi], []byte(" | None")) && ascii.Is(c.t.Bytes[0], ascii.Upper) && c.t.Uppers > 1 && c.t.Wordy():
			return true // a choice, a type
		case c.Text[c.Start] == '-' && !c.joined() && c.t.Digits == 0:
			return true // a sentence about options
		case c.Op == syntax.OpColon && c.Strength < names.Password && c.t.Bytes[c.t.Len-1] == '?' && ascii.Is(c.t.Bytes[0], ascii.Upper) && ascii.Run(c.t.Bytes, ascii.Alnum) == c.t.Len-1:
			return true // a type of Kotlin or Swift
		case c.Op == syntax.OpColon && (c.Value.End < c.Hi && c.Text[c.Value.End] == ',' || bytes.HasSuffix(c.t.Bytes, []byte("Array"))) && ascii.Run(c.t.Bytes, ascii.Word|ascii.Dot) == c.t.Len && ascii.Is(c.t.Bytes[c.t.Len-1], ascii.Alpha) && c.t.Digits <= value.Several && (c.t.Uppers == 0 || bytes.HasSuffix(c.t.Bytes, []byte("Array"))):
			return ascii.Contains(c.t.Bytes, '_') || c.t.Dots > 0 || bytes.HasSuffix(c.t.Bytes, []byte("Array")) // a member of a literal
		case !c.joined() && c.Value.End < c.Hi && (c.Text[c.Value.End] == ';' || c.Text[c.Value.End] == ')' && c.Op == syntax.OpColon) && variableOfEnv(c.t.Bytes):
			return c.t.Digits <= value.Several // a constant
		case c.t.Bytes[0] == '_' && c.Op == syntax.OpColon && syntax.IsQuote(c.Text[c.End]) && c.Value.End < c.Hi && c.Text[c.Value.End] == ',':
			return variableOfEnv(c.t.Bytes) // a member of a literal
		case variableOfEnv(c.t.Bytes) && c.t.Digits <= value.Several && ascii.Is(c.t.Bytes[c.t.Len-1], ascii.Alpha) && names.StrengthOf(c.t.Bytes, nil) >= names.Strong:
			return true // a constant that is named as a secret is: USER_1_PASSWORD
		case !c.joined() && ascii.Run(c.t.Bytes, ascii.Word) == c.t.Len && ascii.Contains(c.t.Bytes, '_'):
			rest := c.Text[c.Value.End:c.Hi]
			return bytes.HasPrefix(rest, []byte(" (")) || bytes.HasPrefix(rest, []byte(" + ")) // a call, as GNU writes it, or a sum
		case bytes.HasPrefix(c.t.Bytes, c.Name.Bytes()) && c.t.Bytes[min(len(c.Name.Bytes()), c.t.Len-1)] == '$':
			return true // a name that a compiler made up: password$1
		case string(c.Text[c.Value.End:c.Hi]) == "," && c.Op == syntax.OpAssign && !c.joined() && c.Leads(c.Start) && ascii.Is(c.t.Bytes[0], ascii.Lower) && c.t.Uppers > 0:
			return ascii.Run(c.t.Bytes, ascii.Alpha)+ascii.RunBack(c.t.Bytes, ascii.Digit) == c.t.Len && c.t.Wordy() // an argument on a line of its own
		case c.Text[c.Start] == '.' && c.Value.End < c.Hi:
			return strings.IndexByte("});", c.Text[c.Value.End]) >= 0 && ascii.Run(c.t.Bytes, ascii.Alpha) >= c.t.Len-2 && ascii.Run(c.t.Bytes, ascii.Alnum) == c.t.Len
		}
		return false
	}},
	closedTag: {"fills an element", func(c *candidate) bool {
		return c.ClosesElement(c.Value.End) && (!c.t.Words() || c.t.Uppers == 0 && c.Text[c.End] == '>') // a word of a form, but not in <password>word</password>
	}},
	colourCode: {"has a colour code of a terminal", func(c *candidate) bool { return c.t.Coloured() }},
	coined:     {"is words run together", func(c *candidate) bool { return c.t.Coined() }},
	coinedName: {"is words run together, for a variable of the environment or an option", func(c *candidate) bool {
		return c.ownWords()
	}},
	connection: {"is in a connection string", func(c *candidate) bool {
		return c.Op == syntax.OpAssign && c.connectionString() && !c.keywordArgument() && c.t.Bytes[c.t.Len-1] != '=' && (c.t.Lowers < c.t.Len || !value.Mentions(c.t.Bytes) || c.Value.End == c.Hi || c.Text[c.Value.End] != ',')
	}},
	constant: {"is after the constant of an option", func(c *candidate) bool {
		return names.Capitals(c.Name.Bytes()) && !syntax.IsQuote(c.Text[c.End])
	}},
	country: {"is the country of a code", func(c *candidate) bool {
		if name := c.Name.Bytes(); len(name) <= len("und-PW") && (bytes.HasSuffix(name, []byte("-PW")) || bytes.HasSuffix(name, []byte("_PW")) && bytes.HasPrefix(c.t.Bytes, name[:len(name)-len("PW")])) && ascii.Is(name[0], ascii.Lower) {
			return true // of a locale
		}
		return string(c.Name.Bytes()) == "PW" && (c.t.Foreign > 0 || c.t.Uppers == 1 && ascii.Is(c.t.Bytes[0], ascii.Upper)) && c.t.Uppers+c.t.Lowers+c.t.Foreign == c.t.Len
	}},
	cutShort: {"goes on with a bracket", func(c *candidate) bool { return c.Value.End < c.Hi && !c.mayEnd(c.Op, c.Value.End) }},
	constantName: {"is the name of a member or of a constant", func(c *candidate) bool {
		if i := bytes.IndexByte(c.t.Bytes, '|'); i > 0 && c.t.Wordy() && (ascii.Run(c.t.Bytes, ascii.Lower) == i || bound(c.t.Bytes[:ascii.Run(c.t.Bytes, ascii.Lower)])) {
			return true // a rule for what a user types: required|min:6
		}
		if i := bytes.IndexByte(c.t.Bytes, ':'); i > 0 && c.t.Signs == 1+bytes.Count(c.t.Bytes, []byte{'_'})+bytes.Count(c.t.Bytes, []byte{','}) && (ascii.Run(c.t.Bytes, ascii.Lower|ascii.Under|ascii.Colon|ascii.Comma) == c.t.Len || bound(c.t.Bytes[:i]) && i+1+c.t.Digits == c.t.Len) && c.Op != syntax.OpOption {
			return true // a name and its kind: xs:string, or the bound of a field: min:16
		}
		if (c.Op == syntax.OpComma || c.Op == syntax.OpCall) && c.t.Len < value.MinToken && value.CatalogNumber(c.t.Bytes) || c.t.Dots > 0 && c.t.Odd == 0 && bytes.HasSuffix(c.t.Bytes, []byte("password")) {
			return true // an algorithm, a property
		}
		if c.Op == syntax.OpComma && c.t.Dots > 1 && c.t.Words() || c.t.Uppers > 0 && c.t.Words() && bytes.HasSuffix(c.Name.Bytes(), []byte("-pass")) {
			return true // a property, or what a pass does
		}
		return c.t.Words() && (value.FieldName(c.t.Bytes) || c.t.Dashes > 1 && c.t.Len > 24 && bytes.HasSuffix(c.t.Bytes, []byte("password")) || c.t.Dots > 0 && (value.Mentions(c.t.Bytes) || ascii.Contains(c.t.Bytes, '_')) || c.t.Uppers >= value.Min && c.t.Lowers == 0 && c.t.Wordy()) ||
			c.t.Uppers >= value.Min && c.t.Dashes > 0 && c.t.Digits <= value.Several && c.t.Uppers+c.t.Dashes+c.t.Digits == c.t.Len && (!ascii.Contains(c.t.Bytes, '-') || value.Mentions(c.t.Bytes)) ||
			(c.Op == syntax.OpComma || c.Op == syntax.OpCall) && c.t.Digits == 1 && ascii.Is(c.t.Bytes[0], ascii.Lower) && c.t.Uppers > 0 && c.t.Uppers+c.t.Lowers+1 == c.t.Len && ascii.Is(c.t.Bytes[c.t.Len-1], ascii.Digit)
	}},
	foreignText: {"is a text with letters beyond ASCII, and no digit", func(c *candidate) bool {
		return c.t.Foreign > 0 && !ascii.Contains(c.t.Bytes, 0xc2) && (c.t.Lowers+c.t.Uppers+c.t.Foreign == c.t.Len || c.t.Foreign*2 > c.t.Len && (c.t.Digits == 0 || c.t.Foreign*8 > c.t.Len*7)) && !names.Capitals(c.Name.Bytes())
	}},
	dated: {"has a date in it", func(c *candidate) bool { return value.Dated(c.t.Bytes) }},
	document: {"is a document of JSON or of PHP, or a table of a parser", func(c *candidate) bool {
		return c.t.Len == value.MaxExamined && c.t.Odd*8 > c.t.Len || c.t.Bytes[0] == '{' && bytes.Contains(c.t.Bytes, []byte(`":`)) || bytes.Contains(c.t.Bytes, []byte(":{s:"))
	}},
	identifier: {"may be the name of something in a program", func(c *candidate) bool {
		return ascii.Run(c.t.Bytes, ascii.Word) == c.t.Len && c.t.Hexes < c.t.Len && c.t.MostlyLetters() && c.t.Changes*2 <= c.t.Len && c.t.Wordy()
	}},
	inTicks: {"is a word of code in a text", func(c *candidate) bool {
		return c.Quote.Mark == '`' && bytes.Contains(c.t.Bytes, []byte(`="`)) || c.Quote.Mark == '`' && (c.Op != syntax.OpAssign || c.Text[c.End] == '`') && c.t.Digits == 0 && c.t.Odd == 0 && c.t.Spaces == 0 && (!c.t.JoinedWords() || value.Mentions(c.t.Bytes))
	}},
	described: {"is a word under a name that tells of a secret", func(c *candidate) bool { return c.t.Digits == 0 && c.t.Odd == 0 && c.describes() }},
	digest:    {"has only the digits of hashes and UUIDs", func(c *candidate) bool { return c.t.Digest() }},
	digitAndSign: {"has a digit and a sign", func(c *candidate) bool {
		return c.t.Len >= value.MinPassword && c.t.Digits > 0 && c.t.Signs > 0
	}},
	digitOf6:  {"has a digit, and 6 bytes", func(c *candidate) bool { return c.t.Len >= value.MinPassword && c.t.Digits > 0 }},
	formatted: {"is a format that a program fills in", func(c *candidate) bool { return c.formatted() }},
	given: {"is a word with a digit, as people give it to a program", func(c *candidate) bool {
		return c.t.Len >= value.MinPassword && c.t.Digits > 0 && c.t.Lowers+c.t.Uppers > 1 && c.given()
	}},
	givenWords: {"is all of a line PASSWORD=words", func(c *candidate) bool { return c.givenWords() }},
	hasDigit:   {"has a digit", func(c *candidate) bool { return c.t.Digits > 0 }},
	headerToken: {"is letters and digits in a header", func(c *candidate) bool {
		return c.Op == syntax.OpColon && ascii.Contains(c.Name.Bytes(), '-') && c.t.Mixture()
	}},
	hexadecimal: {"is a number such as 0x04034b50, or an address of Ethereum", func(c *candidate) bool {
		return value.HexNumber(c.t.Bytes) || (c.Op == syntax.OpCall || c.Strength <= names.Medium || string(c.Name.Bytes()) == "token" || bytes.HasSuffix(c.Name.Bytes(), []byte("okens"))) && c.t.Len == len("0x")+2*20 && bytes.HasPrefix(c.t.Bytes, []byte("0x")) && c.t.Hexes == c.t.Len-1
	}},
	jumbled:       {"mixes small and capital letters and digits as no name does", func(c *candidate) bool { return c.t.Jumbled() }},
	jumbledLine:   {"mixes letters and digits as no name does, and ends its line", func(c *candidate) bool { return c.t.Jumbled() && c.setsLine() }},
	laterArgument: {"is after a later argument", func(c *candidate) bool { return !c.firstArgument() }},
	list: {"is a list", func(c *candidate) bool {
		return ascii.Contains(c.t.Bytes, ',') || bytes.Count(c.t.Bytes, []byte{'|'}) > value.ManyChanges
	}},
	madeUp:     {"is a word with digits and an odd sign", func(c *candidate) bool { return c.t.MadeUp() }},
	madeSecret: {"is made up by people, and is for signing or encrypting", func(c *candidate) bool { return c.madeUpSecret() }},
	manyKinds: {"has capitals, small letters and digits", func(c *candidate) bool {
		return c.t.Uppers > 2 && c.t.Lowers > 2 && c.t.Digits > 2
	}},
	mentionsSecret: {"is a name that mentions a secret", func(c *candidate) bool {
		return (c.Shows == looksRandom || c.Shows == jumbled) && names.StrengthOf(c.t.Bytes, nil) > names.None && c.t.Odd == 0 && c.t.MostlyLetters() && c.t.Wordy()
	}},
	mixture: {"is letters with three digits", func(c *candidate) bool { return c.t.Mixture() }},
	namelike: {"is words with few digits", func(c *candidate) bool {
		return c.t.Hexes < c.t.Len && c.t.MostlyLetters() && c.t.Changes*2 < c.t.Len && c.t.Wordy()
	}},
	ofAccount: {"is the password of a user that is named before it", func(c *candidate) bool { return c.ofAccount() }},
	ofSeveral: {"is after the name of several", func(c *candidate) bool {
		n := ascii.Run(c.t.Bytes, ascii.Upper|ascii.Lower) // a table, and its index: 'tokens', 'idx_368a4209'
		return c.Op == syntax.OpComma && c.End > c.Start && c.Text[c.End-1] == 's' && syntax.IsQuote(c.Text[c.End]) &&
			n > 1 && n < len("index_") && c.t.Bytes[n] == '_' && (c.t.Uppers == 0 || c.t.Lowers == 0) && c.t.Len <= maxIndex
	}},
	ofShell: {"is set by a command of a shell", func(c *candidate) bool { return c.ofShell() }},
	odd10:   {"has odd signs, and looks random from 10 bytes on", func(c *candidate) bool { return c.t.Odd > 0 && c.t.Random(10) }},
	odd8:    {"has odd signs, and looks random from 8 bytes on", func(c *candidate) bool { return c.t.Odd > 0 && c.t.Random(8) }},
	openAndPlain: {"does not look random, and its quote stays open", func(c *candidate) bool {
		return c.Quote.Open && !c.t.Random(8)
	}},
	passOfLoop: {"is the name of a pass, or its colour", func(c *candidate) bool {
		if string(c.Name.Bytes()) == "Pass" && c.t.Uppers == 2 && c.t.Words() && bytes.HasSuffix(c.t.Bytes, []byte("Green")) {
			return true
		}
		return c.t.Words() && (c.t.Lowers == c.t.Len && bytes.HasSuffix(c.Name.Bytes(), []byte("currentPass")) || c.End-c.Start == len("pw") && (c.Start > c.Lo && c.Text[c.Start-1] == ',' || c.Text[c.Start] == 'P' && c.Text[c.Start+1] == 'w'))
	}},
	namesToken: {"is the name of a kind of token", func(c *candidate) bool { return c.namesToken() }},
	optionName: {"is after an option", func(c *candidate) bool { return c.Text[c.Start] == '-' }},
	otherVariable: {"is the name of a variable, after a sign with spaces", func(c *candidate) bool {
		return c.Shows != ofAccount && !c.joined() && !names.Capitals(c.Name.Bytes()) && c.t.Variable()
	}},
	inColumn: {"has a digit, in the column beside the name", func(c *candidate) bool { return c.inColumn() }},
	ownLine:  {"fills its line after the name of a variable", func(c *candidate) bool { return c.ownLine() }},
	ownValue: {"is not the name of a variable", func(c *candidate) bool {
		return !value.Mentions(c.t.Bytes) || c.Op == syntax.OpOption || c.joined() && (c.t.Digits > 1 || names.Capitals(c.Name.Bytes()) || c.t.DigitInside())
	}},
	packageVersion: {"is the version of a package", func(c *candidate) bool {
		rest, _ := bytes.CutPrefix(c.t.Bytes, c.Name.Bytes()) // name@1.0.0, in the lock of bun
		return c.t.Len < 24 && value.Version(c.t.Bytes) || len(rest) > 1 && rest[0] == '@' && value.Version(rest[1:])
	}},
	pieced:            {"is parts that do not look random", func(c *candidate) bool { return c.Shows == looksRandom && c.t.Pieced() && !c.t.Jumbled() }},
	pairOfItsOwn:      {"is a name and a value itself", func(c *candidate) bool { return value.Pair(c.t.Bytes) }},
	path:              {"is a path or an address", func(c *candidate) bool { return c.t.Path() && !c.pairOfConnection() && !c.flush() }},
	regularExpression: {"is a regular expression", func(c *candidate) bool { return value.Pattern(c.t.Bytes) }},
	requestID: {"is a UUID that names a request", func(c *candidate) bool {
		return c.t.Dashes == 4 && c.t.Len == 36 && requestToken(c.Name.Bytes()) || value.EndsInUUID(c.t.Bytes) && ascii.HasFold(c.Name.Bytes()[max(0, c.End-c.Start-len("key")):], "key")
	}},
	rootedPath: {"is a path from a root, or an address", func(c *candidate) bool {
		if c.t.Slashes > 0 && c.t.Bytes[0] == '.' || bytes.Contains(c.t.Bytes, []byte("://")) {
			return c.t.Path()
		}
		if c.t.Slashes > 1 && c.t.Odd == 0 && value.FileName(c.t.Bytes) {
			return true // of a file in a tree of sources
		}
		return (c.t.Bytes[0] == '/' || c.t.Bytes[0] == '~') && c.t.Path() && (c.t.Slashes > 1 || c.t.Lowers == c.t.Len-1 || c.t.Wordy())
	}},
	sameAsName: {"repeats its name", func(c *candidate) bool {
		name := c.Name.Bytes()
		start, end := names.LastWord(name)
		if c.t.Len > end-start && start < end && bytes.EqualFold(c.t.Bytes[:end-start], name[start:end]) && ascii.Is(c.t.Bytes[0], ascii.Upper) && ascii.Is(c.t.Bytes[end-start], ascii.Upper) && c.t.Lowers+c.t.Uppers == c.t.Len {
			return true // the name of a class: PasswordFlow
		}
		return c.repeats(c.t.Bytes) || c.t.Len >= minNamed && c.t.Words() && len(name) > c.t.Len && bytes.HasPrefix(name, c.t.Bytes) && ascii.Is(name[c.t.Len], ascii.Upper|ascii.Dash|ascii.Under) || c.hasName()
	}},
	rowOfWords: {"is a row of words", func(c *candidate) bool { return c.t.JoinedWords() && !value.Mentions(c.t.Bytes) }},
	scrambled:  {"changes between digits and letters", func(c *candidate) bool { return c.t.Scrambled() }},
	selector:   {"is a member of something: cfg.token", func(c *candidate) bool { return value.Code(c.t.Bytes) && !c.pairOfConnection() && !c.flush() }},
	setting:    {"is a word in a file of settings", func(c *candidate) bool { return c.setting() }},
	setter:     {"is set as the password by a call", func(c *candidate) bool { return c.setByCall() && c.t.Coined() }},
	strayUUID: {"is a UUID, and no program says that it uses it", func(c *candidate) bool {
		return c.t.UUID() && (c.Quote.Mark == 0 || bytes.HasSuffix(c.Name.Bytes(), []byte("TypeKey")))
	}},
	tableCell: {"fills the cell of a table, after the name of a variable", func(c *candidate) bool { return c.tableCell() }},
	tuple:     {"is the second of a tuple", func(c *candidate) bool { return c.tuple() }},
	variableInQuotes: {"is after the name of a variable of the environment, in quotes", func(c *candidate) bool {
		return variableOfEnv(c.Name.Bytes()) && syntax.IsQuote(c.Text[c.End])
	}},
	twoDigits: {"has two digits", func(c *candidate) bool { return c.t.Digits >= 2 }},
	uiText:    {"is a text of a user interface", func(c *candidate) bool { return c.uiText() }},
	uuid:      {"is a UUID", func(c *candidate) bool { return c.t.UUID() }},
	unjumbled: {"may be the name of a variable", func(c *candidate) bool { return !c.t.Jumbled() || c.t.Digits < value.Several }},
	variableInText: {"is words that mention a secret, or begins with a sign", func(c *candidate) bool {
		return strings.IndexByte("+-%=@|*~", c.t.Bytes[0]) >= 0 || bytes.Contains(c.t.Bytes, []byte("&#")) || c.t.Hexes < c.t.Len && c.t.MostlyLetters() && value.Mentions(c.t.Bytes) && c.t.Wordy() ||
			c.Strength < names.Password && c.t.Numbered()
	}},
	weakToken: {"has some digits, right after its sign", func(c *candidate) bool {
		return c.t.Len >= value.MinToken && c.joined() && c.Op == syntax.OpAssign && (c.t.Digits >= 3 || c.t.Digits > 0 && (c.Text[c.Start] == '-' || c.ofPeer()))
	}},
	worded: {"is made of words", func(c *candidate) bool {
		return c.Shows != madeSecret && c.Shows != ofAccount && !c.t.MadeUp() && (value.Worded(c.t.Bytes) || c.Strength < names.Strong && c.t.JoinedName() || len(c.Name.Bytes()) >= minNamed && bytes.HasPrefix(c.t.Bytes, c.Name.Bytes()))
	}},
	wordless: {"is more than words", func(c *candidate) bool { return !c.t.Words() }},
	wordsOfName: {"is words of its name", func(c *candidate) bool {
		b := bytes.TrimRight(c.t.Bytes, "/")
		if b = b[max(bytes.LastIndexByte(b, '/'), bytes.LastIndexByte(b, '\\'))+1:]; c.saysWhat() && value.Mentions(b) && (value.TraitsOf(b).Words() || bytes.HasSuffix(b, []byte("password"))) {
			return true // a code: INVALID_PASSWORD: "wrong-password"
		}
		if n := len(b) - 2; n > 0 && n+1 < len(c.t.Bytes) && len(b) < len(c.t.Bytes) && b[n] == '-' && ascii.Is(b[n+1], ascii.Digit) {
			b = b[:n] // a code: auth/weak-password-2
		}
		return len(b) > 0 && c.repeats(b) && value.TraitsOf(b).Words()
	}},
}

// String returns the phrase for a value that has the feature: "looks random".
func (one Feature) String() string { return featureTable[one].says }

// some reports whether the value has one of the features.
func (c *candidate) some(of []Feature) bool {
	for _, one := range of {
		if featureTable[one].of(c) {
			return true
		}
	}
	return false
}

// every reports whether the value has all of the features.
func (c *candidate) every(of []Feature) bool {
	for _, one := range of {
		if !featureTable[one].of(c) {
			return false
		}
	}
	return true
}

// maxIndex is the greatest length of an index's name: its kind, and 16 digits of a hash.
const maxIndex = len("idx_") + 16

// bound reports whether name is that of a bound for what a user types.
func bound(name []byte) bool {
	switch string(name) {
	case "min", "max", "size", "length", "between", "digits":
		return true
	}
	return false
}

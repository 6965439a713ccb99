package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
)

// A feature is something that can be said of a value where it is.
type feature uint8

const (
	unsaid feature = iota
	abridged
	always
	looksRandom
	madeSecret
	allDigits
	announced
	basicPair
	byteCodes
	cacheKey
	caption
	closedTag
	colourCode
	coined
	coinedName
	connection
	constant
	cutShort
	digest
	digitAndSign
	digitOf6
	formatted
	given
	givenWords
	hasDigit
	headerToken
	hexadecimal
	jumbled
	jumbledLine
	keyID
	laterArgument
	list
	madeUp
	manyKinds
	mixture
	module
	namelike
	noDigit
	ofShell
	odd10
	odd8
	openAndPlain
	optionInText
	optionName
	otherVariable
	ownLine
	ownValue
	packageVersion
	pairOfItsOwn
	path
	regularExpression
	rootedPath
	sameAsName
	rowOfWords
	scrambled
	selector
	setter
	setting
	strayUUID
	variableInQuotes
	tuple
	tableCell
	tagOfGo
	twoDigits
	uiText
	unjumbled
	uuid
	variableInText
	variableName
	weakToken
	wordless
	wordsOfName
)

// featureTable has what the value is where it has a feature, and what finds that.
var featureTable = [...]struct {
	says string
	of   func(v *view, f field, t traits) bool
}{
	looksRandom: {says: "looks random"}, // as the row has it, from a number of bytes on
	abridged: {"is the beginning of a token, with dots for the rest", func(v *view, f field, t traits) bool {
		return t.n < maxAbridged && (bytes.HasSuffix(t.b, []byte("...")) || v.truncated(f.value.end))
	}},
	always:     {"is in quotes", func(_ *view, _ field, _ traits) bool { return true }},
	allDigits:  {"has digits only", func(_ *view, _ field, t traits) bool { return t.digits == t.n }},
	announced:  {"is what a sentence says that the password is", func(v *view, f field, t traits) bool { return v.announced(&f, t) }},
	basicPair:  {"is user:password in base64", func(v *view, f field, t traits) bool { return v.basicPair(&f, t.b) }},
	byteCodes:  {"is binary data, as the codes of its bytes", func(_ *view, _ field, t traits) bool { return t.escapedBytes() }},
	cacheKey:   {"is words and a digest", func(_ *view, _ field, t traits) bool { return t.cacheKey() }},
	caption:    {"is a text of a form", func(_ *view, _ field, t traits) bool { return t.caption() }},
	closedTag:  {"fills an element", func(v *view, f field, _ traits) bool { return v.closedTag(&f) }},
	colourCode: {"has a colour code of a terminal", func(_ *view, _ field, t traits) bool { return t.coloured() }},
	coined:     {"is words run together", func(_ *view, _ field, t traits) bool { return t.coined() }},
	coinedName: {"is words run together, for a variable of the environment or an option", func(v *view, f field, t traits) bool {
		return v.ownWords(&f, t)
	}},
	connection: {"is in a connection string", func(v *view, f field, _ traits) bool {
		return f.op == opAssign && v.connectionString(&f) && !v.keywordArgument(&f)
	}},
	constant: {"is after the constant of an option", func(v *view, f field, _ traits) bool {
		return names.Capitals(v.text[f.start:f.end]) && !isQuote(v.text[f.end])
	}},
	cutShort:     {"goes on with a bracket", func(v *view, f field, _ traits) bool { return f.value.end < v.hi && !v.ends(f.op, f.value.end) }},
	digest:       {"has only the digits of hashes and UUIDs", func(_ *view, _ field, t traits) bool { return t.digest() }},
	digitAndSign: {"has a digit and a sign", func(_ *view, _ field, t traits) bool { return t.n >= minPassword && t.digits > 0 && t.signs > 0 }},
	digitOf6:     {"has a digit, and 6 bytes", func(_ *view, _ field, t traits) bool { return t.n >= minPassword && t.digits > 0 }},
	formatted:    {"is a format that a program fills in", func(v *view, f field, t traits) bool { return v.formatted(&f, t) }},
	given: {"is a word with a digit, as people give it to a program", func(v *view, f field, t traits) bool {
		return t.n >= minPassword && t.digits > 0 && t.lowers+t.uppers > 1 && v.given(&f)
	}},
	givenWords: {"is all of a line PASSWORD=words", func(v *view, f field, t traits) bool { return v.givenWords(&f, t) }},
	hasDigit:   {"has a digit", func(_ *view, _ field, t traits) bool { return t.digits > 0 }},
	headerToken: {"is letters and digits in a header", func(v *view, f field, t traits) bool {
		return f.op == opColon && ascii.Contains(v.text[f.start:f.end], '-') && t.mixture()
	}},
	hexadecimal:   {"is a number such as 0x04034b50", func(_ *view, _ field, t traits) bool { return hexNumber(t.b) }},
	jumbled:       {"is small and capital letters and digits that change as those of no name do", func(_ *view, _ field, t traits) bool { return t.jumbled() }},
	jumbledLine:   {"is such letters and digits, and ends its line", func(v *view, f field, t traits) bool { return t.jumbled() && v.setsLine(&f) }},
	keyID:         {"is the id of a key of OpenPGP", func(_ *view, _ field, t traits) bool { return t.keyID() }},
	laterArgument: {"is after a later argument", func(v *view, f field, _ traits) bool { return !v.firstArgument(&f) }},
	list:          {"is a list", func(_ *view, _ field, t traits) bool { return ascii.Contains(t.b, ',') }},
	madeUp:        {"is a word with digits and an odd sign", func(_ *view, _ field, t traits) bool { return t.madeUp() }},
	madeSecret:    {"is made up by people, for what a program signs with", func(v *view, f field, t traits) bool { return v.madeSecret(&f, t) }},
	manyKinds: {"has capitals, small letters and digits", func(_ *view, _ field, t traits) bool {
		return t.uppers > 2 && t.lowers > 2 && t.digits > 2
	}},
	mixture: {"is letters with three digits", func(_ *view, _ field, t traits) bool { return t.mixture() }},
	module: {"is a class and the module that it is in", func(_ *view, _ field, t traits) bool {
		i := bytes.IndexByte(t.b, ':')
		return i > 0 && i+1 < t.n && ascii.Is(t.b[i+1], ascii.Upper) && t.digits == 0 && ascii.Run(t.b[:i], ascii.Lower|ascii.Under|ascii.Dot) == i && ascii.Run(t.b[i+1:], ascii.Alpha)+i+1 == t.n
	}},
	namelike: {"is words with few digits", func(_ *view, _ field, t traits) bool {
		return t.hexs < t.n && t.mostlyLetters() && t.changes*2 < t.n && wordy(t.b)
	}},
	noDigit: {"has no digit", func(_ *view, _ field, t traits) bool { return t.digits == 0 }},
	ofShell: {"is what a command of a shell sets the variable to", func(v *view, f field, _ traits) bool { return v.ofShell(&f) }},
	odd10:   {"has odd signs, and looks random from 10 bytes on", func(_ *view, _ field, t traits) bool { return t.odd > 0 && t.random(10) }},
	odd8:    {"has odd signs, and looks random from 8 bytes on", func(_ *view, _ field, t traits) bool { return t.odd > 0 && t.random(8) }},
	openAndPlain: {"does not look random, and its quote stays open", func(_ *view, f field, t traits) bool {
		return f.quote.open && !t.random(8)
	}},
	optionInText: {"is a name and a value that a text shows", func(_ *view, f field, t traits) bool { return f.quote.mark == '`' && pair(t.b) }},
	optionName:   {"is after an option", func(v *view, f field, _ traits) bool { return v.text[f.start] == '-' }},
	otherVariable: {"is the name of a variable, after a sign with spaces", func(v *view, f field, t traits) bool {
		return !v.joined(&f) && !names.Capitals(v.text[f.start:f.end]) && t.variable()
	}},
	ownLine: {"is all that follows the name of a variable on its line", func(v *view, f field, _ traits) bool { return v.ownLine(&f) }},
	ownValue: {"is not the name of a variable", func(v *view, f field, t traits) bool {
		return !mentions(t.b) || f.op == opOption || v.joined(&f) && (t.digits > 1 || names.Capitals(v.text[f.start:f.end]) || t.digitInside())
	}},
	packageVersion:    {"is the version of a package", func(_ *view, _ field, t traits) bool { return version(t.b) }},
	pairOfItsOwn:      {"is a name and a value itself", func(_ *view, _ field, t traits) bool { return pair(t.b) }},
	path:              {"is a path or an address", func(_ *view, _ field, t traits) bool { return t.path() }},
	regularExpression: {"is a regular expression", func(_ *view, _ field, t traits) bool { return pattern(t.b) }},
	rootedPath: {"is a path from a root", func(_ *view, _ field, t traits) bool {
		return (t.b[0] == '/' || t.b[0] == '~') && t.path() && (t.slashes > 1 || wordy(t.b))
	}},
	sameAsName: {"is what its name says", func(v *view, f field, t traits) bool { return v.repeats(&f, t.b) }},
	rowOfWords: {"is a row of words", func(_ *view, _ field, t traits) bool { return t.joinedWords() && !mentions(t.b) }},
	scrambled:  {"changes between digits and letters", func(_ *view, _ field, t traits) bool { return t.scrambled() }},
	selector:   {"is a member of something: cfg.token", func(_ *view, _ field, t traits) bool { return code(t.b) }},
	setting:    {"is a word in a file of settings", func(v *view, f field, t traits) bool { return v.setting(&f, t) }},
	setter:     {"is what a call sets the password to", func(v *view, f field, t traits) bool { return v.setter(&f) && t.coined() }},
	strayUUID:  {"is a UUID, and no program says that it uses it", func(v *view, f field, t traits) bool { return t.uuid() && !v.used(&f) }},
	tableCell:  {"fills the cell of a table, after the name of a variable", func(v *view, f field, _ traits) bool { return v.tableCell(&f) }},
	tagOfGo:    {"is the tag of a field in Go", func(_ *view, f field, t traits) bool { return f.quote.mark == '`' && bytes.Contains(t.b, []byte(`:"`)) }},
	tuple:      {"is the second of a tuple", func(v *view, f field, _ traits) bool { return v.tuple(&f) }},
	variableInQuotes: {"is after the name of a variable of the environment, in quotes", func(v *view, f field, _ traits) bool {
		return variableOfEnv(v.text[f.start:f.end]) && isQuote(v.text[f.end])
	}},
	twoDigits: {"has two digits", func(_ *view, _ field, t traits) bool { return t.digits >= 2 }},
	uiText:    {"is a text of a user interface", func(v *view, f field, t traits) bool { return v.uiText(&f, t) }},
	uuid:      {"is a UUID", func(_ *view, _ field, t traits) bool { return t.uuid() }},
	unjumbled: {"may be the name of a variable", func(_ *view, _ field, t traits) bool { return !t.jumbled() || t.digits < several }},
	variableInText: {"is words that mention a secret", func(_ *view, _ field, t traits) bool {
		return t.hexs < t.n && t.mostlyLetters() && mentions(t.b) && wordy(t.b)
	}},
	variableName: {"is the name of a variable of the environment", func(_ *view, _ field, t traits) bool { return t.nameOfVariable() }},
	weakToken: {"has some digits, right after its sign", func(v *view, f field, t traits) bool {
		return t.n >= minToken && v.joined(&f) && f.op == opAssign && (t.digits >= 3 || t.digits > 0 && v.text[f.start] == '-')
	}},
	wordless:    {"is more than words", func(_ *view, _ field, t traits) bool { return !t.words() }},
	wordsOfName: {"is words that its name says", func(v *view, f field, t traits) bool { return t.words() && v.repeats(&f, t.b) }},
}

// some reports whether the value has one of the features.
func (v *view) some(of []feature, f *field, t traits) bool {
	for _, one := range of {
		if featureTable[one].of(v, *f, t) {
			return true
		}
	}
	return false
}

// every reports whether the value has all of the features.
func (v *view) every(of []feature, f *field, t traits) bool {
	for _, one := range of {
		if !featureTable[one].of(v, *f, t) {
			return false
		}
	}
	return true
}

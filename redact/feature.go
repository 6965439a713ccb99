package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
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
	of   func(v *view, f field, t value.Traits) bool
}{
	looksRandom: {says: "looks random"}, // as the row has it, from a number of bytes on
	abridged: {"is the beginning of a token, with dots for the rest", func(v *view, f field, t value.Traits) bool {
		return t.Len < maxAbridged && (bytes.HasSuffix(t.Bytes, []byte("...")) || v.truncated(f.value.End))
	}},
	always:     {"is in quotes", func(_ *view, _ field, _ value.Traits) bool { return true }},
	allDigits:  {"has digits only", func(_ *view, _ field, t value.Traits) bool { return t.Digits == t.Len }},
	announced:  {"is what a sentence says that the password is", func(v *view, f field, t value.Traits) bool { return v.announced(&f, t) }},
	basicPair:  {"is user:password in base64", func(v *view, f field, t value.Traits) bool { return v.basicPair(&f, t.Bytes) }},
	byteCodes:  {"is binary data, as the codes of its bytes", func(_ *view, _ field, t value.Traits) bool { return t.EscapedBytes() }},
	cacheKey:   {"is words and a digest", func(_ *view, _ field, t value.Traits) bool { return t.CacheKey() }},
	caption:    {"is a text of a form", func(_ *view, _ field, t value.Traits) bool { return t.Caption() }},
	closedTag:  {"fills an element", func(v *view, f field, _ value.Traits) bool { return v.ClosesElement(f.value.End) }},
	colourCode: {"has a colour code of a terminal", func(_ *view, _ field, t value.Traits) bool { return t.Coloured() }},
	coined:     {"is words run together", func(_ *view, _ field, t value.Traits) bool { return t.Coined() }},
	coinedName: {"is words run together, for a variable of the environment or an option", func(v *view, f field, t value.Traits) bool {
		return v.ownWords(&f, t)
	}},
	connection: {"is in a connection string", func(v *view, f field, _ value.Traits) bool {
		return f.op == syntax.OpAssign && v.connectionString(&f) && !v.keywordArgument(&f)
	}},
	constant: {"is after the constant of an option", func(v *view, f field, _ value.Traits) bool {
		return names.Capitals(f.Bytes()) && !syntax.IsQuote(v.Text[f.End])
	}},
	cutShort: {"goes on with a bracket", func(v *view, f field, _ value.Traits) bool { return f.value.End < v.Hi && !v.ends(f.op, f.value.End) }},
	digest:   {"has only the digits of hashes and UUIDs", func(_ *view, _ field, t value.Traits) bool { return t.Digest() }},
	digitAndSign: {"has a digit and a sign", func(_ *view, _ field, t value.Traits) bool {
		return t.Len >= value.MinPassword && t.Digits > 0 && t.Signs > 0
	}},
	digitOf6:  {"has a digit, and 6 bytes", func(_ *view, _ field, t value.Traits) bool { return t.Len >= value.MinPassword && t.Digits > 0 }},
	formatted: {"is a format that a program fills in", func(v *view, f field, t value.Traits) bool { return v.formatted(&f, t) }},
	given: {"is a word with a digit, as people give it to a program", func(v *view, f field, t value.Traits) bool {
		return t.Len >= value.MinPassword && t.Digits > 0 && t.Lowers+t.Uppers > 1 && v.given(&f)
	}},
	givenWords: {"is all of a line PASSWORD=words", func(v *view, f field, t value.Traits) bool { return v.givenWords(&f, t) }},
	hasDigit:   {"has a digit", func(_ *view, _ field, t value.Traits) bool { return t.Digits > 0 }},
	headerToken: {"is letters and digits in a header", func(v *view, f field, t value.Traits) bool {
		return f.op == syntax.OpColon && ascii.Contains(f.Bytes(), '-') && t.Mixture()
	}},
	hexadecimal:   {"is a number such as 0x04034b50", func(_ *view, _ field, t value.Traits) bool { return value.HexNumber(t.Bytes) }},
	jumbled:       {"is small and capital letters and digits that change as those of no name do", func(_ *view, _ field, t value.Traits) bool { return t.Jumbled() }},
	jumbledLine:   {"is such letters and digits, and ends its line", func(v *view, f field, t value.Traits) bool { return t.Jumbled() && v.setsLine(&f) }},
	keyID:         {"is the id of a key of OpenPGP", func(_ *view, _ field, t value.Traits) bool { return t.KeyID() }},
	laterArgument: {"is after a later argument", func(v *view, f field, _ value.Traits) bool { return !v.firstArgument(&f) }},
	list:          {"is a list", func(_ *view, _ field, t value.Traits) bool { return ascii.Contains(t.Bytes, ',') }},
	madeUp:        {"is a word with digits and an odd sign", func(_ *view, _ field, t value.Traits) bool { return t.MadeUp() }},
	madeSecret:    {"is made up by people, for what a program signs with", func(v *view, f field, t value.Traits) bool { return v.madeSecret(&f, t) }},
	manyKinds: {"has capitals, small letters and digits", func(_ *view, _ field, t value.Traits) bool {
		return t.Uppers > 2 && t.Lowers > 2 && t.Digits > 2
	}},
	mixture: {"is letters with three digits", func(_ *view, _ field, t value.Traits) bool { return t.Mixture() }},
	module: {"is a class and the module that it is in", func(_ *view, _ field, t value.Traits) bool {
		i := bytes.IndexByte(t.Bytes, ':')
		return i > 0 && i+1 < t.Len && ascii.Is(t.Bytes[i+1], ascii.Upper) && t.Digits == 0 && ascii.Run(t.Bytes[:i], ascii.Lower|ascii.Under|ascii.Dot) == i && ascii.Run(t.Bytes[i+1:], ascii.Alpha)+i+1 == t.Len
	}},
	namelike: {"is words with few digits", func(_ *view, _ field, t value.Traits) bool {
		return t.Hexes < t.Len && t.MostlyLetters() && t.Changes*2 < t.Len && value.Wordy(t.Bytes)
	}},
	noDigit: {"has no digit", func(_ *view, _ field, t value.Traits) bool { return t.Digits == 0 }},
	ofShell: {"is what a command of a shell sets the variable to", func(v *view, f field, _ value.Traits) bool { return v.ofShell(&f) }},
	odd10:   {"has odd signs, and looks random from 10 bytes on", func(_ *view, _ field, t value.Traits) bool { return t.Odd > 0 && t.Random(10) }},
	odd8:    {"has odd signs, and looks random from 8 bytes on", func(_ *view, _ field, t value.Traits) bool { return t.Odd > 0 && t.Random(8) }},
	openAndPlain: {"does not look random, and its quote stays open", func(_ *view, f field, t value.Traits) bool {
		return f.quote.Open && !t.Random(8)
	}},
	optionInText: {"is a name and a value that a text shows", func(_ *view, f field, t value.Traits) bool { return f.quote.Mark == '`' && value.Pair(t.Bytes) }},
	optionName:   {"is after an option", func(v *view, f field, _ value.Traits) bool { return v.Text[f.Start] == '-' }},
	otherVariable: {"is the name of a variable, after a sign with spaces", func(v *view, f field, t value.Traits) bool {
		return !v.joined(&f) && !names.Capitals(f.Bytes()) && t.Variable()
	}},
	ownLine: {"is all that follows the name of a variable on its line", func(v *view, f field, _ value.Traits) bool { return v.ownLine(&f) }},
	ownValue: {"is not the name of a variable", func(v *view, f field, t value.Traits) bool {
		return !value.Mentions(t.Bytes) || f.op == syntax.OpOption || v.joined(&f) && (t.Digits > 1 || names.Capitals(f.Bytes()) || t.DigitInside())
	}},
	packageVersion:    {"is the version of a package", func(_ *view, _ field, t value.Traits) bool { return value.Version(t.Bytes) }},
	pairOfItsOwn:      {"is a name and a value itself", func(_ *view, _ field, t value.Traits) bool { return value.Pair(t.Bytes) }},
	path:              {"is a path or an address", func(_ *view, _ field, t value.Traits) bool { return t.Path() }},
	regularExpression: {"is a regular expression", func(_ *view, _ field, t value.Traits) bool { return value.Pattern(t.Bytes) }},
	rootedPath: {"is a path from a root", func(_ *view, _ field, t value.Traits) bool {
		return (t.Bytes[0] == '/' || t.Bytes[0] == '~') && t.Path() && (t.Slashes > 1 || value.Wordy(t.Bytes))
	}},
	sameAsName: {"is what its name says", func(v *view, f field, t value.Traits) bool { return v.repeats(&f, t.Bytes) }},
	rowOfWords: {"is a row of words", func(_ *view, _ field, t value.Traits) bool { return t.JoinedWords() && !value.Mentions(t.Bytes) }},
	scrambled:  {"changes between digits and letters", func(_ *view, _ field, t value.Traits) bool { return t.Scrambled() }},
	selector:   {"is a member of something: cfg.token", func(_ *view, _ field, t value.Traits) bool { return value.Code(t.Bytes) }},
	setting:    {"is a word in a file of settings", func(v *view, f field, t value.Traits) bool { return v.setting(&f, t) }},
	setter:     {"is what a call sets the password to", func(v *view, f field, t value.Traits) bool { return v.setter(&f) && t.Coined() }},
	strayUUID:  {"is a UUID, and no program says that it uses it", func(v *view, f field, t value.Traits) bool { return t.UUID() && !v.used(&f) }},
	tableCell:  {"fills the cell of a table, after the name of a variable", func(v *view, f field, _ value.Traits) bool { return v.tableCell(&f) }},
	tagOfGo: {"is the tag of a field in Go", func(_ *view, f field, t value.Traits) bool {
		return f.quote.Mark == '`' && bytes.Contains(t.Bytes, []byte(`:"`))
	}},
	tuple: {"is the second of a tuple", func(v *view, f field, _ value.Traits) bool { return v.tuple(&f) }},
	variableInQuotes: {"is after the name of a variable of the environment, in quotes", func(v *view, f field, _ value.Traits) bool {
		return variableOfEnv(f.Bytes()) && syntax.IsQuote(v.Text[f.End])
	}},
	twoDigits: {"has two digits", func(_ *view, _ field, t value.Traits) bool { return t.Digits >= 2 }},
	uiText:    {"is a text of a user interface", func(v *view, f field, t value.Traits) bool { return v.uiText(&f, t) }},
	uuid:      {"is a UUID", func(_ *view, _ field, t value.Traits) bool { return t.UUID() }},
	unjumbled: {"may be the name of a variable", func(_ *view, _ field, t value.Traits) bool { return !t.Jumbled() || t.Digits < value.Several }},
	variableInText: {"is words that mention a secret", func(_ *view, _ field, t value.Traits) bool {
		return t.Hexes < t.Len && t.MostlyLetters() && value.Mentions(t.Bytes) && value.Wordy(t.Bytes)
	}},
	variableName: {"is the name of a variable of the environment", func(_ *view, _ field, t value.Traits) bool { return t.NameOfVariable() }},
	weakToken: {"has some digits, right after its sign", func(v *view, f field, t value.Traits) bool {
		return t.Len >= value.MinToken && v.joined(&f) && f.op == syntax.OpAssign && (t.Digits >= 3 || t.Digits > 0 && v.Text[f.Start] == '-')
	}},
	wordless:    {"is more than words", func(_ *view, _ field, t value.Traits) bool { return !t.Words() }},
	wordsOfName: {"is words that its name says", func(v *view, f field, t value.Traits) bool { return t.Words() && v.repeats(&f, t.Bytes) }},
}

// some reports whether the value has one of the features.
func (v *view) some(of []feature, f *field, t value.Traits) bool {
	for _, one := range of {
		if featureTable[one].of(v, *f, t) {
			return true
		}
	}
	return false
}

// every reports whether the value has all of the features.
func (v *view) every(of []feature, f *field, t value.Traits) bool {
	for _, one := range of {
		if !featureTable[one].of(v, *f, t) {
			return false
		}
	}
	return true
}

package classify

import (
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// The tables classify the value of a name: the first row that is about such a field says
// whether the value is a secret.
//
// The numbers are lengths: 6 for a password and 8 for a token or secret, since a shorter
// value that looks random is an abbreviation or a number; 10 to 16 for a name of medium
// strength, or if the value may be a name of the program itself; 20, more than a serial
// number has, for names of other things, too; 32 in a path.
//
// Weights that logistic regression fits to the same features (350 to 3,700 of them, with
// L2) find up to 6 more of the 11,444 labelled secrets. With the source of each held
// out they find 16 to 53 fewer than these rows, which were written with all sources in
// sight, and change 73 to 93 of 1,301 texts without a secret, where these change none.

// A row classifies the fields with one of its operators and one of its strengths that have
// all features of when.
type row struct {
	ops    operators
	names  strengths
	when   has
	random int // their value is secret if it looks random and has so many bytes,
	any    has // or has one of these,
	none   has // but none of these
}

// Sets of operators, strengths and features.
type (
	operators uint16
	strengths uint8
	has       []Feature
)

const (
	anywhere operators = 1<<(syntax.OpList+1) - 1
	assigned operators = 1<<syntax.OpAssign | 1<<syntax.OpColon | 1<<syntax.OpMember | 1<<syntax.OpList
	beside   operators = 1<<syntax.OpBeside | 1<<syntax.OpIs
	argument operators = 1<<syntax.OpComma | 1<<syntax.OpCall
	option   operators = 1 << syntax.OpOption
	phrased            = assigned | option | 1<<syntax.OpTag | 1<<syntax.OpIs

	passwords strengths = 1 << names.Password
	strong    strengths = 1<<names.Strong | passwords
	medium    strengths = 1 << names.Medium
	weak      strengths = 1<<names.Weak | 1<<names.None
	anyName   strengths = strong | medium | weak
)

// A refusal is about values that are no secrets: those that have one of its features.
type refusal struct {
	ops   operators
	names strengths
	of    has
}

var refusedInQuotes = [...]refusal{
	{anywhere, anyName, has{openAndPlain, wordsOfName, hexadecimal, byteCodes, colourCode, regularExpression, formatted, requestID}},
	{anywhere, anyName, has{sameAsName, inTicks, packageVersion}},
	{anywhere, passwords, has{namesToken, constantName, foreignText, described}},
	{anywhere, anyName &^ passwords, has{abridged}},
	{anywhere, medium | weak, has{list, dated}},
	{anywhere, anyName &^ passwords, has{document}},
	{argument, anyName &^ passwords, has{mentionsSecret}},
	{argument, anyName &^ passwords, has{ofSeveral}},
	{1<<syntax.OpCompare | 1<<syntax.OpAssign | 1<<syntax.OpColon, passwords, has{passOfLoop, country}},
	{anywhere, anyName &^ passwords, has{worded, pieced}},
}

var inQuotes = [...]row{
	{ops: 1 << syntax.OpComma, names: passwords, when: has{optionName}, random: 8, any: has{hasDigit, coined}},
	{ops: 1 << syntax.OpComma, names: strong, when: has{optionName}, random: 8},
	{ops: 1 << syntax.OpComma, names: anyName, when: has{optionName}},
	{ops: 1 << syntax.OpComma, names: passwords, when: has{tuple}, random: 6, any: has{digitOf6, rowOfWords, coined}},
	{ops: 1 << syntax.OpComma, names: strong, when: has{tuple}, random: 8, any: has{madeUp}},
	{ops: 1 << syntax.OpComma, names: passwords, when: has{variableInQuotes}, random: 8, any: has{digitOf6, rowOfWords, coined}},
	{ops: 1 << syntax.OpComma, names: passwords, when: has{laterArgument, constant}, random: 8, any: has{digitOf6}},
	{ops: 1 << syntax.OpComma, names: strong, when: has{laterArgument}, random: 16, any: has{odd10}, none: has{path}},
	{ops: 1 << syntax.OpComma, names: anyName, when: has{laterArgument}},
	{ops: 1 << syntax.OpCall, names: passwords, random: 8, any: has{digitOf6, rowOfWords, coined}},
	{ops: argument, names: passwords, random: 8, any: has{digitOf6, rowOfWords, setter}},
	{ops: 1 << syntax.OpComma, names: medium, random: 16},
	{ops: 1 << syntax.OpComma, names: strong, random: 8, any: has{madeUp, jumbled}, none: has{path}},
	{ops: 1 << syntax.OpCall, names: strong, random: 8, any: has{madeUp, jumbled}, none: has{path}},
	{ops: argument, names: anyName},
	{ops: beside | option, names: passwords, any: has{always}, none: has{path, caption}},
	{ops: beside, names: strong, random: 8, any: has{jumbled}, none: has{path}},
	{ops: beside, names: anyName},
	{ops: option, names: anyName, random: 8, none: has{path}},
	{ops: 1 << syntax.OpProse, names: passwords, random: 8, any: has{digitOf6, rowOfWords, coined}, none: has{path}},
	{ops: 1 << syntax.OpElse, names: passwords, random: 6, any: has{digitOf6, rowOfWords, coined}},
	{ops: 1 << syntax.OpElse, names: strong, random: 8, any: has{madeUp, jumbled}},
	{ops: 1<<syntax.OpProse | 1<<syntax.OpElse, names: anyName},
	{ops: 1<<syntax.OpTag | 1<<syntax.OpMember, names: passwords, random: 6, any: has{wordless, rowOfWords, coined}, none: has{rootedPath}},
	{ops: 1 << syntax.OpTag, names: strong, random: 6, any: has{madeUp, jumbled}},
	{ops: 1 << syntax.OpTag, names: anyName, random: 6},
	{ops: anywhere, names: passwords, any: has{always}, none: has{caption, uiText, rootedPath}},
	{ops: anywhere, names: strong, random: 8, any: has{uuid, mixture, madeUp, jumbled}, none: has{path, uiText}},
	{ops: anywhere, names: medium, random: 12, none: has{path, identifier, cacheKey, strayUUID}},
	{ops: anywhere, names: weak, when: has{basicPair}, any: has{always}},
	{ops: anywhere, names: weak, random: 20, none: has{path, digest, cacheKey, mentionsSecret}},
}

var refusedPlain = [...]refusal{
	{anywhere, anyName, has{cutShort, packageVersion, path, selector, hexadecimal, requestID}},
	{1 << syntax.OpElse, anyName, has{always}},
	{1 << syntax.OpCompare, anyName, has{unjumbled}},
	{1<<syntax.OpComma | 1<<syntax.OpOption | 1<<syntax.OpCall | beside | 1<<syntax.OpMember | 1<<syntax.OpProse | 1<<syntax.OpList, anyName, has{pairOfItsOwn}},
	{anywhere, medium | weak, has{dated}},
	{anywhere, anyName &^ passwords, has{sameAsName}},
	{assigned, anyName, has{programName}},
	{assigned, passwords, has{uiText}},
	{1 << syntax.OpAssign, passwords, has{country}},
	{anywhere, passwords, has{foreignText, described}},
	{anywhere, anyName &^ passwords, has{abridged, worded, pieced}},
	{beside, anyName, has{list, variableInText}},
	{assigned | option | 1<<syntax.OpTag, 1<<names.Strong | medium, has{otherVariable}},
}

var plain = [...]row{
	{ops: 1 << syntax.OpComma, names: passwords, when: has{tableCell}, random: 8, any: has{digitOf6}},
	{ops: 1 << syntax.OpComma, names: passwords, when: has{scrambled}, any: has{always}, none: has{list, namelike}},
	{ops: 1 << syntax.OpComma, names: strong, when: has{hasDigit}, random: 12, none: has{namelike, list, variableInText}},
	{ops: argument, names: anyName},
	{ops: 1 << syntax.OpPath, names: strong, when: has{manyKinds}, random: 32, none: has{uuid}},
	{ops: 1 << syntax.OpPath, names: anyName},
	{ops: 1 << syntax.OpIs, names: passwords, when: has{digitOf6}, any: has{always}},
	{ops: 1<<syntax.OpIs | 1<<syntax.OpProse | 1<<syntax.OpColon | 1<<syntax.OpBeside, names: passwords, when: has{announced}, any: has{always}},
	{ops: beside, names: passwords, when: has{ownLine}, any: has{digitOf6, rowOfWords, coined}},
	{ops: 1 << syntax.OpBeside, names: strong, when: has{ofShell}, random: 8, any: has{mixture, jumbled}},
	{ops: 1 << syntax.OpBeside, names: passwords, when: has{inColumn}, any: has{always}},
	{ops: 1 << syntax.OpBeside, names: passwords, when: has{digitOf6}, random: 8},
	{ops: beside, names: strong, random: 16, any: has{odd8}},
	{ops: beside, names: anyName, when: has{twoDigits}, random: 20, none: has{digest}},
	{ops: beside, names: anyName},
	{ops: 1 << syntax.OpProse, names: passwords, random: 8, any: has{madeUp, mixture}},
	{ops: 1 << syntax.OpProse, names: strong, when: has{twoDigits}, random: 20, none: has{digest, list, namelike, uuid, variableInText}},
	{ops: 1 << syntax.OpProse, names: anyName},
	{ops: 1 << syntax.OpTag, names: passwords, any: has{closedTag}, none: has{caption}},
	{ops: anywhere, names: passwords, when: has{given}, random: 6, any: has{digitAndSign, ownValue, rowOfWords, coinedName}},
	{ops: anywhere, names: passwords, random: 6, any: has{digitAndSign, ofAccount, setting, givenWords, connection, mixture, rowOfWords, coinedName}},
	{ops: anywhere, names: strong, random: 8, any: has{ofAccount, uuid, weakToken, headerToken, madeUp, madeSecret, jumbledLine}},
	{ops: anywhere, names: medium, random: 14, none: has{cacheKey, strayUUID}},
	{ops: anywhere, names: weak, when: has{basicPair}, any: has{always}},
	{ops: anywhere, names: weak, random: 20, none: has{digest, cacheKey}},
}

// classify decides by the tables whether the value is a secret.
func (c *candidate) classify() bool {
	ops, names := operators(1)<<c.Op, strengths(1)<<c.Strength
	refused, rows := refusedPlain[:], plain[:]
	if c.Quote.Mark != 0 {
		refused, rows = refusedInQuotes[:], inQuotes[:]
	}
	secret := false
	for i := range rows {
		if r := &rows[i]; r.ops&ops != 0 && r.names&names != 0 && c.every(r.when) {
			secret = c.shown(r) && !c.some(r.none)
			break
		}
	}
	for i := 0; i < len(refused) && secret; i++ { // last, for few values get so far
		if r := &refused[i]; r.ops&ops != 0 && r.names&names != 0 && c.some(r.of) {
			return false
		}
	}
	return secret
}

// shown reports whether the value has one of the features that the row asks for, and sets
// Shows to it.
func (c *candidate) shown(r *row) bool {
	if c.Shows = looksRandom; r.random > 0 && c.t.Random(r.random) {
		return true
	}
	for _, one := range r.any {
		if c.Shows = one; featureTable[one].of(c) {
			if one == always && len(r.when) > 0 {
				c.Shows = r.when[0]
			}
			return true
		}
	}
	return false
}

package redact

import (
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// A state is what a line leaves to the next.
type state struct {
	key   keyBlock // within a private key
	open  pending  // a name whose value is on the next line
	block block    // within what a name has below it

	manifest manifest // within a Kubernetes object
	table    table    // within comma-separated values
	pair     partner  // a cloud's secret key is awaited
	curl     bool     // within a command that goes on
	coded    bool     // after a line that ends in a known value in base64
	netrc    uint8    // within an entry of .netrc, for so many lines
	expects  uint8    // within a script that waits for a password, for so many lines
	phrase   uint8    // before the words of a seed, for so many lines
	pgpass   uint8    // within a file of passwords of PostgreSQL, for so many lines
	folded   string   // the end of an encoded text that is folded in lines
}

// active reports whether the next line must be looked at even where nothing
// is found in it.
func (s state) active() bool { return s != state{} }

// with returns the state after a masked line, where first was that after the line
// before it was masked: what the mask hides goes on.
func (s state) with(first state) state {
	if first.key.lines > 0 {
		s.key = first.key
	}
	if first.pair.lines > 0 {
		s.pair = first.pair
	}
	s.coded, s.folded = first.coded, first.folded
	return s
}

// A pending name is at the end of a line, its value on the next.
type pending struct {
	strength names.Strength
	op       syntax.Operator
	blanks   uint8 // lines with nothing on them since
	below    bool  // the name ends its line, as in YAML
}

// A keyBlock is where in the lines of a private key a line is.
type keyBlock struct {
	lines  int  // how many may still follow, 0 outside of a key
	first  bool // the next is the first: it shows the mask, others go
	quoted bool // each line is a string of its own

	column uint16 // of the header in its line
	prefix uint32 // shapeOf what is before it, such as the time of a log
}

// A manifest is what is known of a Kubernetes object whose lines pass.
type manifest uint8

const (
	noManifest   manifest = iota
	anyObject             // its kind is not known yet
	aSecret               // kind: Secret
	dataOfAny             // within data of an object of unknown kind
	dataOfSecret          // within data of a Secret
)

// A table is what the header of a table leaves to its rows.
type table struct {
	first   uint32 // a hash of the first cell of the header
	from    uint16 // where in its line the header begins
	sep     byte   // between cells: a comma, semicolon, tab or bar
	columns uint8  // how many there are, 0 outside of a table
	secret  uint16 // a bit for each whose name is strong
	strong  uint16 // a bit for each that is a password
}

// A partner is a secret that is awaited.
type partner struct {
	size  uint8 // its length
	lines uint8 // on which it may still come
}

// A block is what is below a name, indented deeper than it, and has its value as a
// member: a variable or output of Terraform, a parameter of CloudFormation or ARM, an
// input of an action.
//
//	variable "db_password" {      "db_password": {        DbPassword:
//	  default = "value"             "sensitive": true,      Type: String
//	}                               "value": "value"        Default: value
type block struct {
	strength names.Strength // of the name
	indent   uint8          // of the name's line
	lines    uint8          // how many more lines are looked at
}

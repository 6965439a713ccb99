package match

import (
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// A State is what a line leaves to the next.
type State struct {
	Key     KeyBlock // within a private key
	Pending Pending  // a name whose value is on the next line
	Block   Block    // within what a name has below it

	Manifest  Manifest  // within a Kubernetes object
	Table     Table     // within comma-separated values
	Paired    PairedKey // a cloud's secret key is awaited
	Command   bool      // within a command that goes on
	Continued bool      // after a line that ends in a known value in base64
	Netrc     uint8     // within an entry of .netrc, for so many lines
	Prompt    uint8     // within a script that waits for a password, for so many lines
	Mnemonic  uint8     // before the words of a seed, for so many lines
	Pgpass    uint8     // within a file of passwords of PostgreSQL, for so many lines
	Folded    string    // the end of an encoded text that is folded in lines
}

// Active reports whether the next line must be looked at even where nothing
// is found in it.
func (s State) Active() bool { return s != State{} }

// With returns the state after a masked line, where first was that after the line
// before it was masked: what the mask hides goes on.
func (s State) With(first State) State {
	if first.Key.Lines > 0 {
		s.Key = first.Key
	}
	if first.Paired.Lines > 0 {
		s.Paired = first.Paired
	}
	s.Continued, s.Folded = first.Continued, first.Folded
	return s
}

// A Pending name is at the end of a line, its value on the next.
type Pending struct {
	Strength names.Strength
	Op       syntax.Operator
	Blanks   uint8 // lines with nothing on them since
	Below    bool  // the name ends its line, as in YAML
}

// A KeyBlock is where in the lines of a private key a line is.
type KeyBlock struct {
	Lines  int  // how many may still follow, 0 outside of a key
	First  bool // the next is the first: it shows the mask, others go
	Quoted bool // each line is a string of its own

	Column uint16 // of the header in its line
	Prefix uint32 // shapeOf what is before it, such as the time of a log
}

// A Manifest is what is known of a Kubernetes object whose lines pass.
type Manifest uint8

const (
	NoManifest   Manifest = iota
	AnyObject             // its kind is not known yet
	SecretObject          // kind: Secret
	AnyData               // within data of an object of unknown kind
	SecretData            // within data of a Secret
)

// A Table is what the header of a table leaves to its rows.
type Table struct {
	First   uint32 // a hash of the first cell of the header
	From    uint16 // where in its line the header begins
	Sep     byte   // between cells: a comma, semicolon, tab or bar
	Columns uint8  // how many there are, 0 outside of a table
	Secret  uint16 // a bit for each whose name is strong
	Strong  uint16 // a bit for each that is a password
}

// A PairedKey is a secret that is awaited.
type PairedKey struct {
	Size  uint8 // its length
	Lines uint8 // on which it may still come
}

// A Block is what is below a name, indented deeper than it, and has its value as a
// member: a variable or output of Terraform, a parameter of CloudFormation or ARM, an
// input of an action.
//
//	variable "db_password" {      "db_password": {        DbPassword:
//	  default = "value"             "sensitive": true,      Type: String
//	}                               "value": "value"        Default: value
type Block struct {
	Strength names.Strength // of the name
	Indent   uint8          // of the name's line
	Lines    uint8          // how many more lines are looked at
}

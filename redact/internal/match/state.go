package match

import (
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// A State is all that a line leaves to the next. Each field is read and set by one package
// of rules; its zero value says that nothing goes on.
type State struct {
	Key     KeyBlock // within a private key
	Pending Pending  // after a name whose value is on the next line
	Block   Block    // within the lines below a name

	Manifest  Manifest  // within a Kubernetes object
	Table     Table     // within comma-separated values
	Bound     Columns   // after a statement of SQL, before the values of its columns
	Paired    PairedKey // after the id of a cloud's key, before its secret
	Command   bool      // within a command that goes on after a backslash
	Continued bool      // after a line that ends in a known value in base64
	Checksums bool      // within the checksums of a lock file of CocoaPods
	Netrc     uint8     // lines that may still belong to an entry of .netrc
	Prompt    uint8     // lines that may still have the password a script waits for
	Mnemonic  uint8     // lines that may still have the words of a seed phrase
	Pgpass    uint8     // lines that may still belong to PostgreSQL's file of passwords
	Codes     uint8     // lines that may still be of a list of codes that replace a password
	Secrets   uint8     // lines that may still belong to chap-secrets
	Account   Account   // after the line of a setting that names a user or a peer
	Folded    string    // the end of an encoded text that is folded in lines
}

// Active reports whether the next line must be searched even if nothing is found in it.
func (s State) Active() bool { return s != State{} }

// With returns the state s after a masked line with those parts of first, the state after
// the line before it was masked, that its mask hides.
func (s State) With(first State) State {
	s.Key = first.Key
	if first.Paired.Lines > 0 {
		s.Paired = first.Paired
	}
	s.Continued, s.Folded = first.Continued, first.Folded
	return s
}

// An Account is a position after the line, name = ada, of a user or a peer, whose password
// the settings that follow with the same indentation may have.
type Account struct {
	Lines  uint8 // that may still have it
	Indent uint8
}

// A Pending is a name at the end of a line, whose value may be on the next.
type Pending struct {
	Strength names.Strength
	Op       syntax.Operator
	Blanks   uint8 // empty lines since
	Below    bool  // the name ends its line, as in YAML
	Thing    bool  // the name is of what a command prints the id of
	User     bool  // the next line has the name of the user, and the value is after it

	// Of several commands that print, one after the other:
	Lines uint8 // on which the value may be, if it stands out there
	More  uint8 // values that are expected after it
	Last  bool  // a command after the first of them is asked for nothing
}

// A KeyBlock is a position among the lines of a private key.
type KeyBlock struct {
	Lines  int  // that may still follow, 0 outside of a key
	First  bool // the next line is the first: it shows the mask, others are left out
	Quoted bool // each line is a string of its own
	Hex    bool // each line is bytes in hexadecimal
	Logged bool // each line has the name of a program before it, and lines of others may be between
	Broken bool // one was

	Column uint16 // of the header in its line
	Prefix uint32 // hash of the characters' kinds before the header, such as the time of a log
}

// A Manifest is a position within the lines of a Kubernetes object.
type Manifest struct {
	Object ManifestObject
	Data   bool  // within its data
	Public bool  // within a certificate or a public key of the data
	Column uint8 // of the object's keys
}

// A ManifestObject is the state of an object of a manifest.
type ManifestObject uint8

const (
	NoObject     ManifestObject = iota
	AnyObject                   // its kind is not known yet
	SecretObject                // kind: Secret
)

// A Table describes the header of a table, by which its rows are searched.
type Table struct {
	First   uint32 // hash of the first cell of the header
	From    uint16 // column in which the header begins
	Sep     byte   // between cells: a comma, semicolon, tab or bar
	Columns uint8  // how many there are, 0 outside of a table
	Named   Columns
	Open    uint8 // cells of a row so far, of which the last goes on, in quotes, on the next line
	Lines   uint8 // on which it may still end
}

// Columns are those with a name for a secret, of the first 16.
type Columns struct {
	Secret    uint16 // a bit for each of them
	Passwords uint16 // a bit for each column of passwords
}

// With returns c where the name of column i has the strength st.
func (c Columns) With(i int, st names.Strength) Columns {
	switch st {
	case names.Password:
		c.Passwords |= 1 << i
	case names.Strong:
		c.Secret |= 1 << i
	}
	return c
}

// Strength returns the strength of the name of column i.
func (c Columns) Strength(i int) names.Strength {
	switch {
	case c.Passwords>>i&1 != 0:
		return names.Password
	case c.Secret>>i&1 != 0:
		return names.Strong
	}
	return names.None
}

// A PairedKey is the secret that goes with the id of a cloud's key.
type PairedKey struct {
	Size  uint8 // its length
	Lines uint8 // lines that may still have it
}

// A Block is a group of lines below a name, indented deeper than it, one of which has the
// value: of a variable or output of Terraform, a parameter of CloudFormation or ARM, an
// input of an action.
//
//	variable "db_password" {      "db_password": {        DbPassword:
//	  default = "value"             "sensitive": true,      Type: String
//	}                               "value": "value"        Default: value
type Block struct {
	Strength names.Strength // of the name
	Indent   uint8          // of the name's line
	Lines    uint8          // that are still searched
}

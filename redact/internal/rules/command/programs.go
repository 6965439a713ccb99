// Package command finds passwords in command lines: in options and arguments of known
// programs, and in their input.
package command

// A Program takes passwords in options whose names do not say so, or as arguments.
type Program struct {
	Name     string // in small letters
	Needs    string // the subcommand that has the flags, or a part of an argument, which must follow; "" if the program needs none
	Flags    []cliFlag
	Argument int  // number of the argument that is a password, from 1; 0 if none is
	Sep      byte // before the password in that argument: 0 if it is all of it, @ of user:password@host; with = the later arguments have one, too
}

// A cliFlag is an option whose argument is, or has, a password.
type cliFlag struct {
	Option string // with its dash
	Joined bool   // the argument may follow without a space
	Sep    byte   // before the password, in user:password; 0 if it is all of the argument
}

// Package wire turns wire structs into JSON and back.
//
// A wire struct is a struct whose fields are the members of one JSON object, in the
// order of the document that defines it. It is the only description of a format's
// members: [Encode] writes it, [Problems.Sub] and [Problems.ReadDocument] read it and
// report every difference, and [SchemaOf] returns its schema.
//
//	`json:"name"`            a required member
//	`json:"name,omitempty"`  an optional one: left out where it is zero
//	`json:",inline"`         Fields: the members that have no field
//	`is:"object"`            a field of any type whose value is an object
//	`is:"open"`              inline Fields that are the document's own extension
//	                         point, so that no name in them is strange
//	`is:"nullable"`          a pointer that may be null or missing alike
//	`is:"unsigned"`          a number that is not negative
//	`is:"present"`           a field of any type whose value is not null
//
// A pointer without omitempty may be null. Types with [Limits] say which values
// they take.
package wire

package jsontext

// Check reads src, one value with white space around it, and returns what is
// wrong with it, or nil. See [Reader] for what warn decides.
func Check(src []byte, depth int, warn func(Fault) bool) *Fault {
	r := Whole(depth, warn)
	defer r.Release()
	return r.Read(src)
}

// Valid reports whether src is one JSON value, with or without repeated names.
func Valid(src []byte) bool {
	return Check(src, 10_000, func(Fault) bool { return true }) == nil
}

// Strings calls text for each string in a well-formed document that is a value,
// with the Reader there. The document is read once, however deep it is.
func Strings(src []byte, depth int, text func(r *Reader, str []byte)) {
	r := Whole(depth, func(Fault) bool { return true })
	defer r.Release()
	r.Text = text
	r.Read(src)
}

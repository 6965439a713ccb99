package envelope

// A Dialect is one of the envelope formats that exist in the field, in the
// version its document has. It spells a [Result] and reads one back; it decides
// nothing about the run.
//
// The interface is sealed: [Dialects] has all of them. Every dialect keeps to
// the same rules. Its members stand in the order of its document, absent means
// absent, the same Result always gives the same bytes, and what it writes is
// valid UTF-8 and passes its own [Validate].
type Dialect interface {
	// Name is the full name, for instance "protocol/v1".
	Name() string
	// Indented reports whether the dialect is written with two spaces of
	// indentation unless the caller chooses otherwise.
	Indented() bool
	// Keep says which outputs must be in the store although they are small.
	Keep(o EncodeOptions) Keep
	// Failed reports whether the envelope of r says error. Results that are
	// ok, partial or tool-missing in this dialect have not failed.
	Failed(r *Result) bool
}

// Dialects returns all dialects, the default first.
func Dialects() []Dialect { return nil }

// Lookup finds a dialect by its full name or by the name without the version
// ("helper" for "helper/v1").
func Lookup(name string) (Dialect, bool) { return nil, false }

// Package outcome has the words for how a run ended: its kind, and the code of its error.
package outcome

import "slices"

// Code is an error code of the catalog in Protocol v1, section "Error catalog".
// The zero value means that there is no error.
type Code string

// The catalog, in its document's order.
const (
	EARG            Code = "EARG"              // invalid or missing parameters
	EAUTH           Code = "EAUTH"             // authentication failed or credentials missing
	ERATELIMIT      Code = "ERATELIMIT"        // the server limits the rate of requests
	EPAGINATION     Code = "EPAGINATION"       // paging failed
	ERUNTIME        Code = "ERUNTIME"          // the command, a server or a transport failed
	ENOTFOUND       Code = "ENOTFOUND"         // a program or resource was not found
	ETIMEOUT        Code = "ETIMEOUT"          // a time limit passed
	EPOLICY         Code = "EPOLICY"           // a permission or policy forbids it
	ESKILLDOWN      Code = "ESKILLDOWN"        // a service is unavailable
	EPARSE          Code = "EPARSE"            // malformed data
	EOUTPUTTOOLARGE Code = "EOUTPUT_TOO_LARGE" // output over the capture limit
	EENVELOPE       Code = "EENVELOPE"         // a malformed envelope
	EIO             Code = "EIO"               // file system or I/O error
	ECANCELED       Code = "ECANCELED"         // asked to stop
	EOPENAPI        Code = "EOPENAPI"          // an API description is invalid
)

// A Kind is how a run ended, in one word (`data.outcome`).
type Kind string

const (
	Success    Kind = "success"     // status 0
	Negative   Kind = "negative"    // the answer is no: grep found nothing
	Changes    Kind = "changes"     // differences or changes were found
	Findings   Kind = "findings"    // a linter or test run did its work and found faults
	Warning    Kind = "warning"     // done, with warnings
	Partial    Kind = "partial"     // done in part
	Failure    Kind = "failure"     // it failed
	Timeout    Kind = "timeout"     // a time limit passed
	Canceled   Kind = "canceled"    // envwrap was asked to stop
	NotStarted Kind = "not-started" // the program or its interpreter was not found
)

// OK reports whether the kind means success. Findings and Partial do not, although
// their output is complete.
func (k Kind) OK() bool {
	switch k {
	case Success, Negative, Changes, Warning:
		return true
	}
	return false
}

// Known reports whether c is in the catalog.
func (c Code) Known() bool {
	return slices.Contains(catalog[:], c)
}

// Codes returns the catalog, in its document's order.
func Codes() []Code { return slices.Clone(catalog[:]) }

var catalog = [...]Code{
	EARG, EAUTH, ERATELIMIT, EPAGINATION, ERUNTIME, ENOTFOUND, ETIMEOUT, EPOLICY, ESKILLDOWN, EPARSE, EOUTPUTTOOLARGE,
	EENVELOPE, EIO, ECANCELED, EOPENAPI,
}

// Kinds returns all kinds.
func Kinds() []Kind {
	return []Kind{Success, Negative, Changes, Findings, Warning, Partial, Failure, Timeout, Canceled, NotStarted}
}

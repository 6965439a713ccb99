package envelope

import (
	"slices"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/outcome"
)

// Code is an error code of the catalog in Protocol v1, section "Error catalog".
// The zero value means that there is no error. Its method Known reports whether it is in
// the catalog.
type Code = outcome.Code

// The catalog. No other code ever appears in an envelope that envwrap writes.
const (
	EARG            = outcome.EARG            // invalid or missing parameters
	EAUTH           = outcome.EAUTH           // authentication failed or credentials missing
	ERATELIMIT      = outcome.ERATELIMIT      // the server limits the rate of requests
	EPAGINATION     = outcome.EPAGINATION     // paging failed
	ERUNTIME        = outcome.ERUNTIME        // the command, a server or a transport failed
	ENOTFOUND       = outcome.ENOTFOUND       // a program or resource was not found
	ETIMEOUT        = outcome.ETIMEOUT        // a time limit passed
	EPOLICY         = outcome.EPOLICY         // a permission or policy forbids it
	ESKILLDOWN      = outcome.ESKILLDOWN      // a service is unavailable
	EPARSE          = outcome.EPARSE          // malformed data
	EOUTPUTTOOLARGE = outcome.EOUTPUTTOOLARGE // output over the capture limit
	EENVELOPE       = outcome.EENVELOPE       // a malformed envelope
	EIO             = outcome.EIO             // file system or I/O error
	ECANCELED       = outcome.ECANCELED       // asked to stop
	EOPENAPI        = outcome.EOPENAPI        // an API description is invalid
)

// A Kind is how a run ended, in one word (`data.outcome`). Its method OK reports whether
// it means success: Findings and Partial do not, although their output is complete.
type Kind = outcome.Kind

const (
	Success    = outcome.Success    // status 0
	Negative   = outcome.Negative   // the answer is no: grep found nothing
	Changes    = outcome.Changes    // differences or changes were found
	Findings   = outcome.Findings   // a linter or test run did its work and found faults
	Warning    = outcome.Warning    // done, with warnings
	Partial    = outcome.Partial    // done in part
	Failure    = outcome.Failure    // it failed
	Timeout    = outcome.Timeout    // a time limit passed
	Canceled   = outcome.Canceled   // envwrap was asked to stop
	NotStarted = outcome.NotStarted // the program or its interpreter was not found
)

// A Classifier names what decided an error's code (`classified_by`).
type Classifier string

const (
	ByEnvwrap   Classifier = "envwrap"    // a fact that envwrap observed itself
	ByOption    Classifier = "option"     // --ok-exit or --exit-map
	ByTable     Classifier = "tool-table" // the table of known tools' exit statuses
	BySignature Classifier = "signature"  // a known text in the output
	BySysexits  Classifier = "sysexits"   // sysexits.h
	ByPipeline  Classifier = "pipeline"   // a stage of a shell's pipeline
	ByShell     Classifier = "shell"      // a shell's 126 or 127
	ByStatus    Classifier = "status"     // only a status other than 0, or a signal
)

// Codes returns the catalog, in its document's order.
func Codes() []Code { return outcome.Codes() }

// outcomeWord is a Kind in a document.
type outcomeWord string

func (outcomeWord) Limits() wire.Limits {
	kinds := outcome.Kinds()
	words := make([]string, len(kinds))
	for i, k := range kinds {
		words[i] = string(k)
	}
	return wire.OneOf(words...)
}

// isOutcome reports whether word is one of the words for an outcome.
func isOutcome(word string) bool { return slices.Contains(outcome.Kinds(), Kind(word)) }

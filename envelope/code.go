package envelope

// Code is an error code of the catalog in Protocol v1, section "Error catalog".
// The zero value means that there is no error.
type Code string

// The catalog. No other code ever appears in an envelope that envwrap writes.
const (
	EARG            Code = "EARG"              // invalid or missing parameters
	EAUTH           Code = "EAUTH"             // authentication failed or credentials missing
	ERATELIMIT      Code = "ERATELIMIT"        // the server limits requests
	EPAGINATION     Code = "EPAGINATION"       // paging could not be worked out
	ERUNTIME        Code = "ERUNTIME"          // the command, a server or a transport failed
	ENOTFOUND       Code = "ENOTFOUND"         // a program or resource was not found
	ETIMEOUT        Code = "ETIMEOUT"          // a time limit passed
	EPOLICY         Code = "EPOLICY"           // a permission or policy forbids it
	ESKILLDOWN      Code = "ESKILLDOWN"        // a service is unavailable
	EPARSE          Code = "EPARSE"            // malformed data
	EOUTPUTTOOLARGE Code = "EOUTPUT_TOO_LARGE" // output over the capture limit
	EENVELOPE       Code = "EENVELOPE"         // a malformed envelope
	EIO             Code = "EIO"               // file system or I/O error
	ECANCELED       Code = "ECANCELED"         // told to stop
	EOPENAPI        Code = "EOPENAPI"          // an API description is invalid
)

// A Kind says how a run ended, in one word (`data.outcome`).
type Kind string

const (
	Success    Kind = "success"     // status 0
	Negative   Kind = "negative"    // the answer is no (grep found nothing)
	Changes    Kind = "changes"     // differences or changes were found
	Findings   Kind = "findings"    // a linter or test run did its work and found faults
	Warning    Kind = "warning"     // done, with warnings
	Partial    Kind = "partial"     // done in part
	Failure    Kind = "failure"     // it failed
	Timeout    Kind = "timeout"     // a time limit passed
	Canceled   Kind = "canceled"    // envwrap was told to stop
	NotStarted Kind = "not-started" // the program or its interpreter was not found
)

// OK reports whether the kind stands for success by itself. Findings and
// Partial do not, although their output is whole.
func (k Kind) OK() bool {
	switch k {
	case Success, Negative, Changes, Warning:
		return true
	}
	return false
}

// A Classifier names what decided an error's code (`classified_by`).
type Classifier string

const (
	ByEnvwrap   Classifier = "envwrap"    // a fact that envwrap saw itself
	ByOption    Classifier = "option"     // --ok-exit or --exit-map
	ByTable     Classifier = "tool-table" // the table of known tools' exit statuses
	BySignature Classifier = "signature"  // a well-known text in the output
	BySysexits  Classifier = "sysexits"   // sysexits.h
	ByPipeline  Classifier = "pipeline"   // a stage of a shell's pipeline
	ByShell     Classifier = "shell"      // a shell's 126 or 127
	ByStatus    Classifier = "status"     // nothing but a status that is not 0, or a signal
)

// Codes is the catalog, in the order of its document.
func Codes() []Code {
	codes := make([]Code, len(catalog))
	for i, row := range catalog {
		codes[i] = row.code
	}
	return codes
}

// Known reports whether c is in the catalog.
func (c Code) Known() bool {
	for _, row := range catalog {
		if row.code == c {
			return true
		}
	}
	return false
}

func (c Code) hint() string {
	for _, row := range catalog {
		if row.code == c {
			return row.hint
		}
	}
	return "Read the message and the output."
}

// The catalog with what a caller can do where nothing better is known.
var catalog = [...]struct {
	code Code
	hint string
}{
	{EARG, "Check the arguments; the message says which."},
	{EAUTH, "Log in again, or provide valid credentials."},
	{ERATELIMIT, "Wait before the next call, or make fewer."},
	{EPAGINATION, "Say how the results are paged."},
	{ERUNTIME, "Read the output for the cause."},
	{ENOTFOUND, "Check the name, and that the thing is there."},
	{ETIMEOUT, "Raise --timeout, or give it less to do."},
	{EPOLICY, "Ask for less, or change the permission or policy."},
	{ESKILLDOWN, "Try again later; the service is unavailable."},
	{EPARSE, "Correct the malformed data, or read it with --parse text."},
	{EOUTPUTTOOLARGE, "Ask for less output, raise --max-capture, or read the artifact."},
	{EENVELOPE, "Correct the envelope that the command prints, or read it with --parse text."},
	{EIO, "Check the path, its permissions and the free space."},
	{ECANCELED, "It was told to stop; run it again if it is still wanted."},
	{EOPENAPI, "Correct the API description."},
}

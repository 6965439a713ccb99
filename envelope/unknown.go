package envelope

import (
	"bytes"

	"github.com/envwrap/envwrap/envelope/internal/check"
	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/jsontext"
)

// unknownFaults returns what is wrong with a document that is in no known dialect: what
// it is instead, and where it begins as JSON and breaks, what breaks it.
func unknownFaults(text []byte) []wire.Fault {
	body := bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF"))
	if k := jsontext.Kind(body); k != '{' && k != '[' && !isUTF16(text) {
		return []wire.Fault{unknownFault(check.Scalar(body))}
	}
	doc := parse(text)
	defer doc.reader.Release()
	what := check.Shape(body)
	if what == "" || isUTF16(text) {
		what = "JSON that is broken"
	}
	return append([]wire.Fault{unknownFault(what)}, doc.faults...)
}

func unknownFault(what string) wire.Fault {
	return wire.Fault{Pointer: "", Rule: "format/unknown", Text: "the document is no known envelope: " + what + "; name the format"}
}

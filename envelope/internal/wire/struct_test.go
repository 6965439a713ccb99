package wire

import (
	"reflect"
	"testing"
)

// A run that only writes does not pay for what readers need of a type.
func TestWritingMakesOutlinesOnly(t *testing.T) {
	type probe struct {
		Member Digest `json:"member" doc:"for readers"`
	}
	if _, err := Encode(&probe{}); err != nil {
		t.Fatal(err)
	}
	typ := reflect.TypeFor[probe]()
	if m := OutlineOf(typ).Members[0]; m.Typ != nil || m.Limits != nil || m.Doc != "" {
		t.Errorf("writing made all of %+v", m)
	}
	if m := ShapeOf(typ).Members[0]; m.Typ == nil || m.Limits == nil || m.Doc != "for readers" {
		t.Errorf("reading finds only %+v", m)
	}
}

package delegator

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// Documents that are valid JSON have the faults that the vectors name, and no other.
func TestVectors(t *testing.T) {
	type place struct{ Pointer, Rule string }
	for name, least := range map[string]int{"valid": 30, "invalid": 300} {
		f, err := os.Open(filepath.Join("..", "..", "..", "testdata", "vectors", "delegator-v3.6", name+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines, checked := bufio.NewScanner(f), 0
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			var v struct {
				Name, Text string
				Strict     bool
				Faults     []place
			}
			if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
				t.Fatal(err)
			}
			sound := true
			reader := jsontext.Whole(100, func(jsontext.Fault) bool { sound = false; return true })
			reader.Keep = true
			if fault := reader.Read([]byte(v.Text)); fault != nil || !sound || strings.TrimSpace(v.Text) == "" {
				continue // the reader's own tests have these
			}
			p := wire.Problems{Strict: v.Strict}
			var w Envelope
			p.ReadDocument([]byte(v.Text), reader.Top, &w)
			w.Check(&p)
			var got []place
			for _, fault := range p.Faults {
				got = append(got, place{fault.Pointer, fault.Rule})
			}
			checked++
			if !reflect.DeepEqual(got, v.Faults) {
				t.Errorf("%s, %s: got %v, want %v", name, v.Name, got, v.Faults)
			}
		}
		if err := lines.Err(); err != nil || checked < least {
			t.Errorf("%s: %d documents, want %d and more (%v)", name, checked, least, err)
		}
	}
}

package wire

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

type inner struct {
	N    int    `json:"n"`
	Rest Fields `json:",inline" is:"open"`
}

// A full has a member of each kind.
type full struct {
	Text   string          `json:"text"`
	Flag   bool            `json:"flag,omitempty"`
	Number *int            `json:"number"`
	Few    int             `json:"few,omitempty" is:"unsigned"`
	Ratio  float64         `json:"ratio,omitempty" is:"unsigned"`
	Kilo   Decimal         `json:"kilo,omitempty"`
	Count  Count           `json:"count,omitempty"`
	One    One             `json:"one,omitempty"`
	Kind   TimeoutType     `json:"kind,omitempty" doc:"idle or hard"`
	Digest *Digest         `json:"digest,omitempty" is:"nullable"`
	Texts  []Filled        `json:"texts,omitempty"`
	Inner  inner           `json:"inner"`
	Maybe  *inner          `json:"maybe,omitempty"`
	Many   []inner         `json:"many,omitempty"`
	Counts map[string]int  `json:"counts,omitempty"`
	Bytes  []byte          `json:"bytes,omitempty"`
	Raw    json.RawMessage `json:"raw,omitempty"`
	Filled json.RawMessage `json:"filled,omitempty" is:"present"`
	Any    any             `json:"any,omitempty"`
	Object any             `json:"object,omitempty" is:"object"`
	More   Fields          `json:"more,omitempty"`
	Dash   int             `json:"-"`
	Rest   Fields          `json:",inline"`
}

// A closed has no place for members without a field.
type closed struct {
	A int `json:"a"`
}

// A document that was read is written back unchanged.
func TestRoundTrip(t *testing.T) {
	for _, doc := range []string{
		`{"text":"a","number":null,"inner":{"n":0}}`,
		`{"text":"","flag":true,"number":-3,"few":1,"ratio":0.5,"kilo":120.0,"count":9,"one":1,"kind":"idle","texts":["a","b"],"inner":{"n":1,"x":[1]}` +
			`,"maybe":{"n":2},"many":[{"n":3},{"n":4,"y":{}}],"counts":{"a":1,"b":0},"bytes":"//4=","raw":null,"filled":[1],"any":null,"object":{"k":1},"more":{},"z":1,"b":"2"}`,
		`{"text":"a","number":1,"digest":"sha256:` + strings.Repeat("0a", 32) + `","inner":{"n":0},"any":[1],"more":{"b":1,"a":2}}`,
	} {
		var v full
		p := Problems{Strict: true}
		if ok := p.Sub("", json.RawMessage(doc), &v); ok != !strings.Contains(doc, `"z"`) {
			t.Errorf("%s: %v", doc, p.Faults)
		}
		if got, err := Encode(&v); err != nil || string(got) != doc {
			t.Errorf("got  %s, %v\nwant %s", got, err, doc)
		}
		if !ReadInto(json.RawMessage(doc), &full{}) {
			t.Errorf("%s: refused", doc)
		}
	}
	var v full
	if !ReadInto(json.RawMessage(`{"text":"a","number":null,"digest":null,"inner":{"n":0},"object":{"k":1}}`), &v) {
		t.Error("null is refused where it may be")
	}
	if string(RawIn(v.Object)) != `{"k":1}` || RawIn(1) != nil || v.Digest != nil {
		t.Errorf("got %+v", v)
	}
}

// Each difference is a fault with its place, its rule and what should be there.
func TestFaults(t *testing.T) {
	for member, want := range map[string]string{
		`"text":1`:                      `/text member/type 1 is where a string should be`,
		`"text":null`:                   `/text member/null null is where a string should be`,
		`"flag":1`:                      `/flag member/type 1 is where true or false should be`,
		`"number":1.5`:                  `/number member/type 1.5 is where an integer should be, in digits only`,
		`"number":1e3`:                  `/number member/type 1e3 is where an integer should be, in digits only`,
		`"number":"1"`:                  `/number member/type a string is where an integer should be`,
		`"number":99999999999999999999`: `/number value/range 99999999999999999999 is out of range`,
		`"few":-1`:                      `/few value/range -1 is where an integer of at least 0 should be`,
		`"few":null`:                    `/few member/null null is where an integer should be`,
		`"ratio":-0.5`:                  `/ratio value/range -0.5 is where a number of at least 0 should be`,
		`"ratio":1e999`:                 `/ratio value/range 1e999 is out of range`,
		`"ratio":[]`:                    `/ratio member/type an array is where a number should be`,
		`"count":-1`:                    `/count value/range -1 is where an integer of at least 0 should be`,
		`"one":2`:                       `/one value/version 2 is where 1 should be`,
		`"one":0`:                       `/one value/version 0 is where 1 should be`,
		`"kind":"soft"`:                 `/kind value/enum "soft" is where one of idle, hard should be`,
		`"digest":"x"`:                  `/digest value/digest "x" is where "sha256:" and 64 lower-case hexadecimal digits should be`,
		`"texts":["a",""]`:              `/texts/1 value/empty "" is where a text that is not empty should be`,
		`"texts":{}`:                    `/texts member/type an object is where an array should be`,
		`"texts":[null]`:                `/texts/0 member/null null is where a string should be`,
		`"inner":{}`:                    `/inner/n member/missing the member is missing; it must be an integer`,
		`"inner":[]`:                    `/inner member/type an array is where an object should be`,
		`"maybe":null`:                  `/maybe member/null null is where an object or null should be`,
		`"many":[{"n":1},{"n":{}}]`:     `/many/1/n member/type an object is where an integer should be`,
		`"counts":{"a":-1}`:             `/counts/a value/range -1 is where an integer of at least 0 should be`,
		`"counts":[]`:                   `/counts member/type an array is where an object should be`,
		`"bytes":"x"`:                   `/bytes value/base64 the text is not padded standard base64: illegal base64 data at input byte 0`,
		`"bytes":1`:                     `/bytes member/type 1 is where a string should be`,
		`"bytes":null`:                  `/bytes member/null null is where a string should be`,
		`"filled":null`:                 `/filled member/null null is where a value should be`,
		`"object":[]`:                   `/object member/type an array is where an object should be`,
		`"object":null`:                 `/object member/null null is where an object should be`,
		`"more":1`:                      `/more member/type 1 is where an object should be`,
		`"more":null`:                   `/more member/null null is where an object should be`,
		`"TEXT":1`:                      `/TEXT member/case the name is spelled "text"`,
		`"a/b~c":1`:                     `/a~1b~0c member/unknown the document does not name this member`,
	} {
		name, _, _ := strings.Cut(strings.TrimPrefix(member, `"`), `"`)
		doc := "{" + member
		for _, m := range []struct{ name, value string }{{"text", `"a"`}, {"number", "1"}, {"inner", `{"n":1,"own":true}`}} {
			if m.name != name {
				doc += `,"` + m.name + `":` + m.value
			}
		}
		p := Problems{Strict: true}
		if p.Sub("/at", json.RawMessage(doc+"}"), &full{}) || len(p.Faults) != 1 || p.Faults[0].String() != "/at"+want {
			t.Errorf("%s: got %v, want %s", member, p.Faults, want)
		}
	}
	var p Problems
	if p.Sub("", json.RawMessage(`{"b":1}`), &closed{}) || len(p.Faults) != 2 || p.Faults[0].String() != "/b member/unknown the format has no such member" {
		t.Errorf("of a closed object: %v", p.Faults)
	}
	if !p.Reported("/a") || p.Reported("/c") {
		t.Errorf("the place of a fault is not found in %v", p.Faults)
	}
}

// A document keeps the first member that comes later than in its format.
func TestLateMembers(t *testing.T) {
	for doc, want := range map[string]string{
		`{"text":"a","number":1,"inner":{"n":1}}`:             "",
		`{"text":"a","inner":{"n":1},"number":1,"flag":true}`: "number",
		` [1] `: "",
	} {
		var top jsontext.Object
		if doc[0] == '{' {
			top = jsontext.AppendObject(nil, []byte(doc))
		}
		var p Problems
		p.ReadDocument([]byte(doc), top, &full{})
		if p.Late != want || (doc[0] == '{') != (p.Faults == nil) {
			t.Errorf("%s: late is %q, faults %v", doc, p.Late, p.Faults)
		}
		if doc[0] == '{' && !p.SubMembers("", top, &full{}) {
			t.Errorf("%s: %v", doc, p.Faults)
		}
	}
}

// A name is written once, and never beside one that differs in case only.
func TestWrittenNames(t *testing.T) {
	rest := Fields{{"TEXT", json.RawMessage("1")}, {"x", json.RawMessage("2")}, {"x", json.RawMessage("3")}}
	long := slices.Clone(rest)
	for _, c := range "abcdefghijklmnopqrs" {
		long = append(long, Field{string(c), json.RawMessage("0")})
	}
	long = append(long, Field{"x", json.RawMessage("4")})
	for _, list := range []Fields{rest, long} {
		got, err := Encode(&full{Rest: list})
		if err != nil || !strings.HasPrefix(string(got), `{"text":"","number":null,"inner":{"n":0},"x":2`) || strings.Count(string(got), `"x"`) != 1 {
			t.Errorf("got %s, %v", got, err)
		}
	}
	if got := EncodeObject(long); strings.Count(string(got), `"x"`) != 1 || strings.Count(string(got), ":0") != 19 {
		t.Errorf("got %s", got)
	}
	if _, err := Encode(&struct {
		C chan int `json:"c"`
	}{}); err == nil {
		t.Error("a channel was written")
	}
	if got := MustEncode(json.RawMessage("{")); got != nil {
		t.Errorf("got %s", got)
	}
	if got, err := Encode(nil); string(got) != "null" || err != nil {
		t.Errorf("got %s, %v", got, err)
	}
	for want, got := range map[string]json.RawMessage{
		"": EncodeValue(nil), "{}": EncodeObject(nil), "{\n  \"a\": 1\n}": Indent([]byte(`{"a":1}`)), "{": Indent([]byte("{")),
		"7": EncodeValue(7), `["a"]`: EncodeValue([]string{"a"}), `{"a":1}`: EncodeObject(Fields{{"a", json.RawMessage("1")}}),
	} {
		if string(got) != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if EncodeValue(0) != nil || EncodeValue([]string{}) != nil || EncodeValue(Fields{}) == nil || EncodeValue(Fields(nil)) != nil {
		t.Error("a zero is written, or an empty object is not")
	}
}

// The schema says what the reader checks.
func TestSchema(t *testing.T) {
	want := `{"type":"object","properties":{` +
		`"text":{"type":"string"},"flag":{"type":"boolean"},"number":{"anyOf":[{"type":"integer"},{"type":"null"}]},` +
		`"few":{"type":"integer","minimum":0},"ratio":{"type":"number","minimum":0},"kilo":{"type":"number"},"count":{"type":"integer","minimum":0},` +
		`"one":{"const":1},"kind":{"description":"idle or hard","enum":["idle","hard"]},` +
		`"digest":{"anyOf":[{"type":"string","pattern":"^sha256:[0-9a-f]{64}$"},{"type":"null"}]},` +
		`"texts":{"type":"array","items":{"type":"string","pattern":"[\\s\\S]"}},"inner":INNER,"maybe":INNER,"many":{"type":"array","items":INNER},` +
		`"counts":{"type":"object","additionalProperties":{"type":"integer","minimum":0}},` +
		`"bytes":{"type":"string","contentEncoding":"base64","pattern":"^([0-9A-Za-z+/]{4})*([0-9A-Za-z+/]{4}|[0-9A-Za-z+/]{3}=|[0-9A-Za-z+/]{2}==)$"},` +
		`"raw":{},"filled":{"not":{"type":"null"}},"any":{},"object":{"type":"object"},"more":{"type":"object"}},"required":["text","number","inner"]}`
	want = strings.ReplaceAll(want, "INNER", `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)
	if got := SchemaOf[full](); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := Describe(&closed{}); got != `{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],"additionalProperties":false}` {
		t.Errorf("got %s", got)
	}
	if got := At(Is("a", "b"), "x", "y"); got != `{"properties":{"x":{"properties":{"y":{"properties":{"a":{"const":"b"}},"required":["a"]}}}}}` {
		t.Errorf("got %s", got)
	}
	if got := string(When(Has("a"), Both(SchemaNull, SchemaText))); got != `{"if":{"required":["a"]},"then":{"allOf":[{"type":"null"},{"type":"string","minLength":1}]}}` {
		t.Errorf("got %s", got)
	}
}

// Members are found, added, changed and taken out by name.
func TestFields(t *testing.T) {
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	f := FieldsIn(raw(`{"a":1,"o":{"x":1},"n":null}`))
	f.Add("a", raw("2"))
	f.Set("n", raw("3"))
	f.Set("z", raw("4"))
	f.Put("empty", "")
	f.Put("text", "t")
	f.Default("a", "5")
	f.Default("d", "6")
	f.Drop("z", "5")
	f.Drop("d", "6")
	change := func(o *Fields) { o.Set("y", raw("2")) }
	f.Edit("o", change)
	f.Edit("a", change)
	f.Edit("nothing", change)
	if got, _ := f.MarshalJSON(); string(got) != `{"a":1,"o":{"x":1,"y":2},"n":3,"z":4,"text":"t"}` {
		t.Errorf("got %s", got)
	}
	if f.Get("a") == nil || f.Get("b") != nil {
		t.Error("a member is not found, or one that is not there is")
	}
	if got, _ := f.Ordered(ShapeOf(reflect.TypeFor[full]())).MarshalJSON(); string(got) != `{"text":"t","a":1,"o":{"x":1,"y":2},"n":3,"z":4}` {
		t.Errorf("got %s", got)
	}
	var again Fields
	if err := json.Unmarshal([]byte(`{"b":1,"a":2}`), &again); err != nil || len(again) != 2 || again[0].Name != "b" {
		t.Errorf("got %v, %v", again, err)
	}
	if StringIn(raw(` "a\n"`)) != "a\n" || StringIn(raw("1")) != "" || !slices.Equal(StringsIn(raw(`["a",1,"b"]`)), []string{"a", "", "b"}) || StringsIn(raw("1")) != nil {
		t.Error("strings are read otherwise")
	}
	if c := CountIn(raw("0")); c == nil || *c != 0 || CountIn(raw("-1")) != nil || CountIn(raw("1.5")) != nil {
		t.Error("counts are read otherwise")
	}
	if n := IntIn(raw("-1")); n == nil || *n != -1 || IntIn(raw("x")) != nil {
		t.Error("integers are read otherwise")
	}
	if yes, no := BoolIn(raw("true")), BoolIn(raw("false")); yes == nil || !*yes || no == nil || *no || BoolIn(raw("1")) != nil {
		t.Error("booleans are read otherwise")
	}
}

// Faults of a second check are left out where the first has one about the same value.
func TestSecondCheck(t *testing.T) {
	p := Problems{Strict: true, Late: "x"}
	p.Add("/old", "r", "t")
	p.SubAnd("/a", json.RawMessage(`{"n":"x"}`), &inner{}, func(more *Problems) {
		if !more.Strict || more.Late != "x" {
			t.Errorf("the second check has %+v", more)
		}
		for _, at := range []string{"/a", "/a/n", "/a/n/below", "/a/nn", "/b", "/old"} {
			more.Add(at, "second", "t")
		}
	})
	var got []string
	for _, f := range p.Faults {
		got = append(got, f.Rule+OrRoot(f.Pointer))
	}
	if want := []string{"r/old", "member/type/a/n", "second/a/nn", "second/b", "second/old"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if OrRoot("") != "/" {
		t.Error("the whole document has no name")
	}
}

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{{"größer", 6, "größer"}, {"größer", 5, "größ…"}, {"abc", 1, "…"}, {"abc", 0, "…"}, {"", 0, ""}} {
		if got := Shorten(c.s, c.n); got != c.want {
			t.Errorf("%q to %d: got %q, want %q", c.s, c.n, got, c.want)
		}
	}
	for text, want := range map[string]int{"one line": 0, "two\nlines": 1, "two\u2028lines": 1} {
		var p Problems
		if CheckMessage(&p, "/m", text); len(p.Faults) != want {
			t.Errorf("%q: %v", text, p.Faults)
		}
	}
	if Count(2).Duration().String() != "2ms" || Count(1<<62).Duration() <= 0 {
		t.Error("a count is another duration")
	}
}

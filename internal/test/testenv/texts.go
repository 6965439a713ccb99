package testenv

import (
	"bytes"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// Secret is in each text of what [Fill] has filled.
const Secret = "hunter2hunter2"

// Fill makes each text that record points to a secret: strings, bytes (as JSON) and keys of
// maps, in all exported fields, also of what they point to. It makes pointers, lists and
// maps where there are none, but no record within a record within record.
func Fill(t testing.TB, record any) {
	w := texts{t: t, fill: true, visit: func(_ string, v reflect.Value) {
		switch {
		case !v.CanSet(): // the key of a map
		case v.Kind() == reflect.String:
			v.SetString("a " + Secret)
		default:
			v.SetBytes([]byte(`{"` + Secret + `":[1,"\u0061 ` + Secret + `"]}`))
		}
	}}
	w.walk(reflect.ValueOf(record).Elem(), "", nil)
}

// MaskSecret replaces Secret in a text.
func MaskSecret(s string) string { return strings.ReplaceAll(s, Secret, "***") }

// MaskSecrets is MaskSecret for each text of a copy of a list.
func MaskSecrets(list []string) []string {
	list = slices.Clone(list)
	for i := range list {
		list[i] = MaskSecret(list[i])
	}
	return list
}

// Unmasked reports each field, as "Type.Field", that still has Secret and is not in except,
// which has a reason for each of its fields, and each field in except that has no secret.
// A type that is named in except without a field has no texts but words of a fixed list.
func Unmasked(t testing.TB, record any, except map[string]string) {
	t.Helper()
	left := map[string]bool{}
	visitTexts(t, record, func(field string, v reflect.Value) {
		text := []byte(v.String())
		if v.Kind() == reflect.Slice {
			text = v.Bytes()
		}
		of := field
		if except[v.Type().Name()] != "" {
			of = v.Type().Name()
		}
		if bytes.Contains(text, []byte(Secret)) {
			left[of] = true
			if except[of] == "" {
				t.Errorf("%s is not masked: %q", field, text)
			}
		}
	})
	for _, field := range slices.Sorted(maps.Keys(except)) {
		if !left[field] {
			t.Errorf("%s is masked, or gone: it needs no exception", field)
		}
	}
}

// Clear empties the fields of record that are in except.
func Clear(t testing.TB, record any, except map[string]string) {
	visitTexts(t, record, func(field string, v reflect.Value) {
		if v.CanSet() && (except[field] != "" || except[v.Type().Name()] != "") {
			v.SetZero()
		}
	})
}

func visitTexts(t testing.TB, record any, visit func(field string, v reflect.Value)) {
	w := texts{t: t, visit: visit}
	w.walk(reflect.ValueOf(record).Elem(), "", nil)
}

// texts calls visit with each text of a record, and with the field that has it.
type texts struct {
	t     testing.TB
	fill  bool
	visit func(field string, v reflect.Value)
}

// walk visits the texts below v. around are the structs that v is in.
func (w *texts) walk(v reflect.Value, field string, around []reflect.Type) {
	switch typ := v.Type(); typ.Kind() {
	case reflect.String:
		w.visit(field, v)
	case reflect.Struct:
		if n := len(slices.DeleteFunc(slices.Clone(around), func(t reflect.Type) bool { return t != typ })); n > 1 || typ == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range typ.NumField() {
			f := typ.Field(i)
			opens := f.Type.Kind() == reflect.Func && f.Tag.Get("json") == "-" // in no record
			if f.IsExported() && !opens {
				w.walk(v.Field(i), typ.Name()+"."+f.Name, append(around, typ))
			}
		}
	case reflect.Pointer:
		if w.fill && !slices.Contains(around[:max(0, len(around)-1)], typ.Elem()) {
			v.Set(reflect.New(typ.Elem()))
		}
		if !v.IsNil() {
			w.walk(v.Elem(), field, around)
		}
	case reflect.Slice, reflect.Array:
		if typ.Elem().Kind() == reflect.Uint8 {
			w.visit(field, v)
			return
		}
		if w.fill && typ.Kind() == reflect.Slice {
			v.Set(reflect.MakeSlice(typ, 2, 2))
		}
		for i := range v.Len() {
			w.walk(v.Index(i), field, around)
		}
	case reflect.Map:
		if w.fill {
			value := reflect.New(typ.Elem()).Elem()
			w.walk(value, field, around)
			v.Set(reflect.MakeMap(typ))
			v.SetMapIndex(reflect.ValueOf(Secret).Convert(typ.Key()), value)
		}
		for key, value := range v.Seq2() {
			w.walk(key, field, around)
			w.walk(value, field, around)
		}
	default:
		if typ.Kind() > reflect.Float64 {
			w.t.Errorf("%s: a %s may hold a text, and nothing here knows how to look for it", field, typ)
		}
	}
}

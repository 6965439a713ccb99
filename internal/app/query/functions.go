package query

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// field is .name.
func field(name string) filter {
	return function(func(v any) (any, error) {
		switch v := v.(type) {
		case nil:
			return nil, nil
		case map[string]any:
			return v[name], nil
		}
		return nil, &dataError{"." + name + " needs an object, not " + typeName(v)}
	})
}

// index is .[i]; a negative i counts from the end.
func index(i int) filter {
	return function(func(v any) (any, error) {
		var all []any
		switch v := v.(type) {
		case nil:
		case []any:
			all = v
		case string:
			for _, letter := range v {
				all = append(all, string(letter))
			}
		default:
			return nil, &dataError{".[" + strconv.Itoa(i) + "] needs an array, not " + typeName(v)}
		}
		at := i
		if at < 0 {
			at += len(all)
		}
		if at < 0 || at >= len(all) {
			return nil, nil
		}
		return all[at], nil
	})
}

// slice is .[from:to]; nil is the beginning or the end.
func slice(from, to *int) filter {
	return function(func(v any) (any, error) {
		switch v := v.(type) {
		case nil:
			return nil, nil
		case []any:
			i, j := limits(len(v), from, to)
			return v[i:j], nil
		case string:
			letters := []rune(v)
			i, j := limits(len(letters), from, to)
			return string(letters[i:j]), nil
		}
		return nil, &dataError{"a slice needs an array or a string, not " + typeName(v)}
	})
}

// limits are from and to, counted from the beginning and within a length.
func limits(length int, from, to *int) (i, j int) {
	within := func(p *int, otherwise int) int {
		switch {
		case p == nil:
			return otherwise
		case *p < 0:
			return max(*p+length, 0)
		}
		return min(*p, length)
	}
	i = within(from, 0)
	return i, max(i, within(to, length))
}

// elements is .[].
func elements(ctx context.Context, v any, yield func(any) error) error {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if err := cmp.Or(ctx.Err(), yield(e)); err != nil {
				return err
			}
		}
		return nil
	case map[string]any:
		for _, key := range sortedKeys(v) {
			if err := cmp.Or(ctx.Err(), yield(v[key])); err != nil {
				return err
			}
		}
		return nil
	}
	return &dataError{".[] needs an array or an object, not " + typeName(v)}
}

func length(v any) (any, error) {
	n := 0
	switch v := v.(type) {
	case bool:
		return nil, &dataError{"length needs anything but a boolean"}
	case json.Number:
		return json.Number(strings.TrimPrefix(string(v), "-")), nil
	case string:
		n = utf8.RuneCountInString(v)
	case []any:
		n = len(v)
	case map[string]any:
		n = len(v)
	}
	return json.Number(strconv.Itoa(n)), nil
}

func keys(v any) (any, error) {
	all := []any{}
	switch v := v.(type) {
	case []any:
		for i := range v {
			all = append(all, json.Number(strconv.Itoa(i)))
		}
		return all, nil
	case map[string]any:
		for _, key := range sortedKeys(v) {
			all = append(all, key)
		}
		return all, nil
	}
	return nil, &dataError{"keys needs an array or an object, not " + typeName(v)}
}

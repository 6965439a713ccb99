package runcmd

import (
	"maps"
	"slices"
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/wrap"
)

func TestExitStatuses(t *testing.T) {
	var got []int
	for _, in := range []string{"1,3", " 7 , 255", "3", "0"} {
		if err := exitStatuses(&got)(in); err != nil {
			t.Errorf("%q: %v", in, err)
		}
	}
	if want := []int{1, 3, 7, 255, 0}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, in := range []string{"", "1,", "256", "-1", "one", "1;3", "1.0"} {
		if exitStatuses(&got)(in) == nil {
			t.Errorf("%q was taken", in)
		}
	}
}

func TestExitMap(t *testing.T) {
	var got map[int]wrap.Mapping
	for _, in := range []string{"23=partial,75=ERATELIMIT", "24=PARTIAL", "2=eoutput_too_large", "75=ERATELIMIT"} {
		if err := exitMap(&got)(in); err != nil {
			t.Errorf("%q: %v", in, err)
		}
	}
	want := map[int]wrap.Mapping{
		2:  {Code: envelope.EOUTPUTTOOLARGE},
		23: {Kind: envelope.Partial},
		24: {Kind: envelope.Partial},
		75: {Code: envelope.ERATELIMIT},
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, in := range []string{"", "23", "23=", "=partial", "256=partial", "3=EWHATEVER", "3=timeout", "3=not-started", "75=EAUTH"} {
		if exitMap(&got)(in) == nil {
			t.Errorf("%q was taken", in)
		}
	}
}

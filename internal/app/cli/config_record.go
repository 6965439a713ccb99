package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/envwrap/envwrap/internal/app/runlog"
)

// The keys of the user's own configuration that are about the record of runs. They are no
// options: nothing that a run comes with turns off its record.
const (
	recordKey     = "record"      // "off" or false records nothing
	recordDaysKey = "record-days" // how many days a run is kept, 0 for ever
	recordMaxKey  = "record-max"  // how many runs are kept, 0 for all
)

func recordKeys() []string { return []string{recordKey, recordDaysKey, recordMaxKey} }

// takeRecord takes the keys about the record out of the file. A wrong value is treated as
// an unknown key is.
func (f *ConfigFile) takeRecord() {
	limits := runlog.DefaultLimits()
	f.record = &limits
	for _, key := range recordKeys() {
		v, ok := f.doc[key]
		if !ok {
			continue
		}
		if err := f.takeRecordKey(key, v); err != nil {
			f.unknown = append(f.unknown, &UsageError{Text: fmt.Sprintf("%s: key %q: %v", f.at(key), key, err)})
		}
		f.Keys = slices.DeleteFunc(f.Keys, func(name string) bool { return name == key })
	}
}

func (f *ConfigFile) takeRecordKey(key string, v any) error {
	if key == recordKey {
		switch v {
		case "off", false:
			f.record.Off = true
		case "on", true:
		default:
			return errors.New(`it is "on" or "off"`)
		}
		return nil
	}
	n, ok := v.(int64)
	if !ok || n < 0 || n > 1<<30 {
		return errors.New("it is a whole number; 0 is no limit")
	}
	if key == recordDaysKey {
		f.record.Days = int(n)
	} else {
		f.record.Max = int(n)
	}
	return nil
}

package envelope

import (
	"math"
	"testing"
)

func hostileTexts() []string {
	return []string{"", "a\x00b\nl\nl\nl\nl\nl\nl", "\xff\xfe__ENVELOPE_V1__:x`", "日本語\u2028", repeatText("l", 300)}
}

// Whatever an answer about jobs holds, each dialect writes it as one valid
// document, and reads it back to the same.
func TestAnyAnswerIsValid(t *testing.T) {
	t.Parallel() // it takes long under the race detector
	numbers := []int64{12345678, 0, -1, math.MaxInt64, math.MinInt64}
	if testing.Short() {
		numbers = numbers[:1]
	}
	for _, text := range hostileTexts() {
		for _, n := range numbers {
			for pick := range 24 {
				r := fuzzRecord([]byte(text), text, 7, 0)
				r.Jobs = fuzzJobs(text, n, uint8(pick))
				for _, d := range Dialects() {
					for _, o := range []EncodeOptions{{}, {Budget: 3000}} {
						doc, err := Encode(d, r, o)
						if err != nil {
							t.Fatal(err)
						}
						for _, f := range Validate(d, doc, ValidateOptions{}) {
							t.Fatalf("%s, %q, %d, %d: %s\n%s", d.Name(), text, n, pick, f, doc)
						}
						checkStable(t, d, doc, EncodeOptions{})
						if t.Failed() {
							t.Fatalf("%q, %d, %d", text, n, pick)
						}
					}
				}
			}
		}
	}
}

// So is the run of any job, however it ended.
func TestAnyTaskIsValid(t *testing.T) {
	t.Parallel() // it takes long under the race detector
	for _, text := range hostileTexts() {
		for pick := range 64 {
			if testing.Short() && pick%7 != 0 {
				continue
			}
			r := fuzzRecord([]byte(text), text, 7, uint8(pick))
			r.JobID, r.Category, r.Jobs = jobA, []string{"", "result_set"}[pick%2], nil
			for _, d := range Dialects() {
				for _, o := range []EncodeOptions{{}, {IncludeOutput: IncludeAlways, MaxOutput: pick}} {
					doc, err := Encode(d, r, o)
					if err != nil {
						t.Fatal(err)
					}
					for _, f := range Validate(d, doc, ValidateOptions{}) {
						t.Fatalf("%s, %q, %d: %s\n%s", d.Name(), text, pick, f, doc)
					}
					checkStable(t, d, doc, o)
					if t.Failed() {
						t.Fatalf("%s, %q, %d", d.Name(), text, pick)
					}
				}
			}
		}
	}
}

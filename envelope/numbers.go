package envelope

import (
	"encoding/json"
	"strconv"
)

// hasHugeNumber reports whether a well-formed document has a number that no
// float64 can hold, such as 1e400.
func hasHugeNumber(raw json.RawMessage) bool {
	for range hugeNumbers(raw) {
		return true
	}
	return false
}

// quoteHugeNumbers spells such numbers as strings.
func quoteHugeNumbers(raw json.RawMessage) json.RawMessage {
	var out []byte
	done := 0
	for from, to := range hugeNumbers(raw) {
		out = append(append(append(append(out, raw[done:from]...), '"'), raw[from:to]...), '"')
		done = to
	}
	return append(out, raw[done:]...)
}

// hugeNumbers yields where such numbers begin and end.
func hugeNumbers(raw json.RawMessage) func(yield func(from, to int) bool) {
	return func(yield func(from, to int) bool) {
		for i := 0; i < len(raw); i++ {
			switch c := raw[i]; {
			case c == '"':
				i = skipString(raw, i) - 1
			case c == '-' || isDigit(c):
				end := i + 1
				for end < len(raw) && isNumberByte(raw[end]) {
					end++
				}
				if isHuge(string(raw[i:end])) && !yield(i, end) {
					return
				}
				i = end - 1
			}
		}
	}
}

func isNumberByte(c byte) bool {
	return isDigit(c) || c == '.' || c == '+' || c == '-' || c|0x20 == 'e'
}

func isHuge(number string) bool {
	_, err := strconv.ParseFloat(number, 64)
	return err != nil
}

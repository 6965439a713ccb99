package url

import "testing"

// A webhook's path of words, of few characters or of samples is not one to hide.
func TestPlaceholderURL(t *testing.T) {
	for path, want := range map[string]bool{
		"your/webhook/path": true, "T00000000/B00000000/XXXXXXXXXXXX": true, "000/111/000": true,
		"T9K4BE7LD/B7WAQ2CD3/9dKf8Ls4QwErTyUiOpAs": false, "qXzRvKpWnBtLsGhJd": false, "your/webhook/path7": false,
	} {
		if got := placeholderURL([]byte(path)); got != want {
			t.Errorf("%q: %v, want %v", path, got, want)
		}
	}
}

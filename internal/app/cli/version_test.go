package cli

import (
	"runtime/debug"
	"testing"
)

// version says which commit was built and when it was made, whichever way it
// was built: by the release, in a clone, or from a module.
func TestBuildStamp(t *testing.T) {
	clone := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123abcd"}, {Key: "vcs.time", Value: "2026-11-20T10:00:00Z"}}
	for _, c := range []struct {
		name     string
		build    Build
		module   string
		settings []debug.BuildSetting
		want     Build
	}{
		{"release", Build{"1.0.0", "feed", "2026-01-01"}, "v1.0.0", clone, Build{"1.0.0", "feed", "2026-01-01"}},
		{"clone", Build{}, "v0.0.0-20261119090000-0123abcd0123+dirty", clone, Build{"v0.0.0-20261119090000-0123abcd0123+dirty", "0123abcd", "2026-11-20T10:00:00Z"}},
		{"go install of a commit", Build{}, "v0.0.0-20261119090807-0123abcd0123", nil, Build{"v0.0.0-20261119090807-0123abcd0123", "0123abcd0123", "2026-11-19T09:08:07Z"}},
		{"go install of a commit after a tag", Build{}, "v1.2.4-0.20261119090807-0123abcd0123", nil, Build{"v1.2.4-0.20261119090807-0123abcd0123", "0123abcd0123", "2026-11-19T09:08:07Z"}},
		{"go install of a tag", Build{}, "v1.2.3", nil, Build{"v1.2.3", "", ""}},
		{"a tag that looks like one", Build{}, "v1.2.3-rc-20261399090807-0123abcd0123", nil, Build{"v1.2.3-rc-20261399090807-0123abcd0123", "", ""}},
		{"no digits of a commit", Build{}, "v0.0.0-20261119090807-somebody-else", nil, Build{"v0.0.0-20261119090807-somebody-else", "", ""}},
		{"twelve letters", Build{}, "v0.0.0-20261119090807-zzzzzzzzzzzz", nil, Build{"v0.0.0-20261119090807-zzzzzzzzzzzz", "", ""}},
		{"too few digits", Build{}, "v0.0.0-20261119090807-0123abcd", nil, Build{"v0.0.0-20261119090807-0123abcd", "", ""}},
		{"nothing", Build{}, "", nil, Build{}},
	} {
		if got := c.build.fillFrom(&debug.BuildInfo{Main: debug.Module{Version: c.module}, Settings: c.settings}); got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

package version

import (
	"regexp"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestOfBuildInfo(t *testing.T) {
	vcs := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{
			{Key: "vcs", Value: "git"},
			{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"},
			{Key: "vcs.time", Value: "2026-03-17T09:26:40Z"},
			{Key: "vcs.modified", Value: modified},
		}
	}
	for _, c := range []struct {
		name     string
		version  string
		settings []debug.BuildSetting
		want     build
	}{
		{"a test binary", "", nil, build{"(devel)", "", ""}},
		{"without its repository", "(devel)", nil, build{"(devel)", "", ""}},
		{"go install of a version", "v0.1.0", nil, build{"v0.1.0", "", ""}},
		{"a checkout", "v0.1.0", vcs("false"), build{"v0.1.0", "0123456789ab", "2026-03-17T09:26:40Z"}},
		{"a checkout with changes", "(devel)", vcs("true"), build{"(devel)", "0123456789ab, modified,", "2026-03-17T09:26:40Z"}},
	} {
		assert.Equal(t, c.want, of(&debug.BuildInfo{Main: debug.Module{Version: c.version}, Settings: c.settings}), c.name)
	}
}

// set sets what the linker sets, for the time of a test.
func set(t *testing.T, r, c, d string) {
	t.Helper()
	was := [3]string{release, commit, date}
	t.Cleanup(func() { release, commit, date = was[0], was[1], was[2] })
	release, commit, date = r, c, d
}

func TestLine(t *testing.T) {
	system := " " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
	assert.Regexp(t, `^perfdump \S+( \(commit .+\))?`+regexp.QuoteMeta(system)+`$`, Line())

	set(t, "v0.1.0", "0123456789abcdef", "2026-03-17T09:26:40Z")
	assert.Equal(t, "v0.1.0", Text())
	assert.Equal(t, "perfdump v0.1.0 (commit 0123456789ab 2026-03-17T09:26:40Z)"+system, Line())

	set(t, "v0.1.0", "", "")
	assert.Equal(t, "perfdump v0.1.0"+system, Line())
}

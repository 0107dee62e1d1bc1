package explain_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/iostreams"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/registration"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/root"
)

// TestEveryRuleIsExplained holds that explain knows the ids that the doctor
// prints, and says of each what its table of rules does.
func TestEveryRuleIsExplained(t *testing.T) {
	for _, rule := range registration.Rules() {
		io, _, out, _ := iostreams.Test()
		assert.Equal(t, cmdutil.ExitOK, root.Run(context.Background(), io, []string{"explain", "-o", "json", rule.ID}), rule.ID)
		var line struct {
			Readings []struct {
				Meanings []struct{ Source, Name, Text, Advice string }
			}
		}
		assert.NoError(t, json.Unmarshal(out.Bytes(), &line))
		if assert.Len(t, line.Readings, 1, rule.ID) && assert.Len(t, line.Readings[0].Meanings, 1, rule.ID) {
			m := line.Readings[0].Meanings[0]
			assert.Equal(t, "rule", m.Source)
			assert.Equal(t, rule.ID, m.Name)
			assert.Equal(t, string(rule.Severity)+": "+rule.Condition+".", m.Text)
			assert.Equal(t, rule.Advice, m.Advice)
		}
	}
}

package analyze_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/analyze"
)

func TestBuiltIn(t *testing.T) {
	rules := analyze.BuiltIn()
	require.Greater(t, rules.Len(), 80)
	again, err := analyze.Parse([]byte(rules.String()), perfdump.Options{})
	require.NoError(t, err)
	require.Equal(t, rules.String(), again.String())
}

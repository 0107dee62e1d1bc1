package capture_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/perfdump/perfdump/capture"
)

func TestDisplayName(t *testing.T) {
	for want, o := range map[string]capture.Owner{
		"":             {Object: "Memory"},
		"_Total":       {HasInstance: true, Instance: "_Total"},
		"svchost#1":    {HasInstance: true, Instance: "svchost", InstanceIndex: 1},
		"svchost/2":    {HasInstance: true, HasParent: true, Parent: "svchost", Instance: "2"},
		"svchost:4711": {HasInstance: true, Instance: "svchost", PID: 4711},
	} {
		assert.Equal(t, want, o.DisplayName())
	}
}

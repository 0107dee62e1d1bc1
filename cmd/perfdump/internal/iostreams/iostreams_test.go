package iostreams

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWidth(t *testing.T) {
	s, _, _, _ := Test()
	assert.Equal(t, 80, s.Width())
	s.SetWidth(132)
	assert.Equal(t, 132, s.Width())
	s.env = func(name string) string { return map[string]string{"COLUMNS": "200"}[name] }
	assert.Equal(t, 200, s.Width())
	for _, bad := range []string{"0", "-3", "wide"} {
		s.env = func(string) string { return bad }
		assert.Equal(t, 132, s.Width())
	}
}

func TestColor(t *testing.T) {
	for _, c := range []struct {
		color     Color
		tty       bool
		env, term string
		want      bool
	}{
		{ColorAuto, true, "", "xterm", true},
		{ColorAuto, false, "", "xterm", false},
		{ColorAuto, true, "1", "xterm", false},
		{ColorAuto, true, "", "dumb", false},
		{ColorAlways, false, "1", "dumb", true},
		{ColorNever, true, "", "xterm", false},
	} {
		s, _, _, _ := Test()
		s.SetStdoutTTY(c.tty)
		s.env = func(name string) string { return map[string]string{"NO_COLOR": c.env, "TERM": c.term}[name] }
		assert.NoError(t, s.SetColor(c.color))
		assert.Equal(t, c.want, s.Color(), "%+v", c)
	}
	s, _, _, _ := Test()
	assert.Error(t, s.SetColor("purple"))
}

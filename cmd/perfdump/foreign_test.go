package main_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// What info says of a file that is recognised and not read keeps its schema.
func TestForeignKeepsItsSchema(t *testing.T) {
	name := filepath.Join(t.TempDir(), "rows.csv")
	require.NoError(t, os.WriteFile(name, []byte("time,host,object,parent,instance,instance_index,counter,path,value,status\n"), 0o600))
	code, out, stderr := runWith(t, nil, "info", "-o", "json", name)
	require.Zero(t, code, stderr)
	require.Equal(t, 1, valid(t, schemas(t)["info.json"], out, "info"))
}

package apitest

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/perfdump/perfdump"

// listed is what go list says of a package.
type listed struct {
	ImportPath, Name, Dir string
	GoFiles               []string
	ImportMap             map[string]string
}

// public reports whether users of the module can import the package.
func (l *listed) public() bool {
	return (l.ImportPath == module || strings.HasPrefix(l.ImportPath, module+"/")) &&
		l.Name != "main" && !strings.Contains(l.ImportPath, "/internal/")
}

// loader checks the declarations of packages from their source. Bodies of
// functions are left out, which is what makes it fast, and nothing is built.
type loader struct {
	fset    *token.FileSet
	list    map[string]*listed
	checked map[string]*types.Package
}

// newLoader lists the module and all that it imports as one system sees it, so
// that the API is the same text wherever the test runs.
func newLoader(t testing.TB) *loader {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-e", "-deps", "-json=ImportPath,Name,Dir,GoFiles,ImportMap", "./...")
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0", "GOPROXY=off", "GOFLAGS=")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	l := &loader{fset: token.NewFileSet(), list: map[string]*listed{}, checked: map[string]*types.Package{"unsafe": types.Unsafe}}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		p := new(listed)
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			return l
		}
		require.NoError(t, err)
		l.list[p.ImportPath] = p
	}
}

// load returns a package with its exported declarations. Errors in one
// that is not ours are ignored: where they matter, the API shows an
// invalid type.
func (l *loader) load(path string) (*types.Package, error) {
	if p := l.checked[path]; p != nil {
		return p, nil
	}
	at := l.list[path]
	if at == nil {
		return nil, fmt.Errorf("go list does not know %s", path)
	}
	if at.public() {
		// go test keeps a result as long as what the test itself has opened is
		// as it was: a file that is new must count.
		if _, err := os.ReadDir(at.Dir); err != nil {
			return nil, err
		}
	}
	var files []*ast.File
	for _, name := range at.GoFiles {
		f, err := parser.ParseFile(l.fset, filepath.Join(at.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	conf := types.Config{
		Importer:         within{l, at.ImportMap},
		IgnoreFuncBodies: true,
		Sizes:            types.SizesFor("gc", "amd64"),
		Error:            func(error) {},
	}
	p, err := conf.Check(path, l.fset, files, nil)
	if at.public() && err != nil {
		return nil, err
	}
	l.checked[path] = p
	return p, nil
}

// within imports as the files of one package do.
type within struct {
	*loader
	names map[string]string
}

func (w within) Import(path string) (*types.Package, error) {
	if real, ok := w.names[path]; ok {
		path = real
	}
	return w.load(path)
}

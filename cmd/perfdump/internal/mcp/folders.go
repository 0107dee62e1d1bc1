package mcp

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// folders are those that a client may read.
type folders []folder

// folder is one of them.
type folder struct {
	name string // as it was given
	real string // absolute, without links
}

func newFolders(names []string) (folders, error) {
	var all folders
	for _, name := range names {
		dir, _ := real(name) // "" is no folder
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("%s is no folder; name the folders that the assistant may read", name)
		}
		all = append(all, folder{name, dir})
	}
	return all, nil
}

// real returns an absolute path without links of a file that is there.
func real(name string) (string, error) {
	name, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(name)
}

func (f folders) names() []string {
	var names []string
	for _, of := range f {
		names = append(names, of.name)
	}
	return names
}

// find returns the name of a file or a folder that a client means by path: as answers
// name it, or below one of the folders. What is outside is not distinguished from what
// is not there.
func (f folders) find(path string) (string, error) {
	names := []string{path}
	switch {
	case strings.HasPrefix(path, "-"): // standard input, or a flag
		names = nil
	case !filepath.IsAbs(path):
		for _, of := range f {
			names = append(names, filepath.Join(of.name, path))
		}
	}
	for _, name := range names {
		if _, _, err := f.place(name); err != nil {
			continue
		}
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			name += string(filepath.Separator) // of a link, what it leads to
		}
		return name, nil
	}
	return "", fmt.Errorf("there is no %q in %s; the tool files lists what is there", path, strings.Join(f.names(), ", "))
}

var errOutside = errors.New("it is outside the folders of the server")

// place returns the folder that a file is in, and its path there.
func (f folders) place(name string) (folder, string, error) {
	at, err := real(name)
	if err != nil {
		return folder{}, "", err
	}
	for _, of := range f {
		if in, err := filepath.Rel(of.real, at); err == nil && filepath.IsLocal(in) {
			return of, in, nil
		}
	}
	return folder{}, "", errOutside
}

// open opens a file if it is in one of the folders. A link that is changed in between
// does not lead out either.
func (f folders) open(name string) (*os.File, error) {
	of, in, err := f.place(name)
	if err != nil {
		return nil, err
	}
	return os.OpenInRoot(of.real, in)
}

package cmdutil

import (
	"os"
	"sync"
)

// unfinished are the temporary files and folders that do not have their final
// names yet. The signal handler removes them before it ends the process.
var unfinished = &unfinishedFiles{paths: map[string]bool{}}

type unfinishedFiles struct {
	mu    sync.Mutex
	paths map[string]bool
}

// make calls create, which makes the file or folder at path.
func (u *unfinishedFiles) make(path string, create func() error) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	err := create()
	if err == nil {
		u.paths[path] = true
	}
	return err
}

// within calls create, which makes something in a folder that is unfinished.
func (u *unfinishedFiles) within(create func() error) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	return create()
}

// rename gives path its name.
func (u *unfinishedFiles) rename(path, name string) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	err := os.Rename(path, name)
	if err == nil {
		delete(u.paths, path)
	}
	return err
}

// remove removes path with all that is in it.
func (u *unfinishedFiles) remove(path string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	_ = os.RemoveAll(path)
	delete(u.paths, path)
}

// RemoveUnfinished removes the files that are being written, for a process that
// ends at once. From then on none is made, and none gets its name: a caller that tries
// waits for the end.
func RemoveUnfinished() {
	unfinished.mu.Lock() // for good
	for path := range unfinished.paths {
		_ = os.RemoveAll(path)
	}
}

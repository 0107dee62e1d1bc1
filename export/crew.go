package export

import (
	"bufio"
	"slices"
	"sync"
	"sync/atomic"
)

// crew has workers write parts of an output, and puts these in order: the output does
// not depend on the number of workers. Who makes the parts is one of them, and helps
// while it would wait. Without others each part is written when it comes.
type crew[T any] struct {
	out     *bufio.Writer
	worker  func() func(*T, []byte) ([]byte, error) // makes one that appends what it writes
	workers int

	own     func(*T, []byte) ([]byte, error) // the worker of who makes the parts
	free    chan *task[T]                    // to be filled
	work    chan *task[T]                    // to be written; nil without other workers
	running sync.WaitGroup
	flying  sync.WaitGroup // of the tasks that are not yet written
	failed  atomic.Pointer[error]

	mu    sync.Mutex
	order []*task[T] // those that are not yet written, in the order of the output
}

// task is what a worker gets, and then what it has written.
type task[T any] struct {
	of    T
	rows  []byte
	err   error
	ready bool
}

// maxWorkers limits the workers: one goroutine makes what they write, and more would
// wait for it.
const maxWorkers = 8

func newCrew[T any](out *bufio.Writer, workers int, worker func() func(*T, []byte) ([]byte, error)) *crew[T] {
	return &crew[T]{out: out, workers: min(workers, maxWorkers), worker: worker}
}

// get returns a task to be filled. What it holds is left over from another.
func (c *crew[T]) get() *task[T] {
	if c.free == nil {
		c.start()
	}
	for {
		select {
		case t := <-c.free:
			return t
		default:
		}
		select {
		case t := <-c.free:
			return t
		case t := <-c.work:
			c.do(t, c.own)
		}
	}
}

// start starts the workers.
func (c *crew[T]) start() {
	c.own = c.worker()
	n := max(c.workers, 0) + 2
	if c.workers <= 1 {
		n = 1
	}
	c.free = make(chan *task[T], n)
	for range n {
		c.free <- &task[T]{}
	}
	if n == 1 {
		return
	}
	c.work = make(chan *task[T], n)
	for range c.workers - 1 {
		write := c.worker() // here, since what it is made of may change later
		c.running.Go(func() {
			for t := range c.work {
				c.do(t, write)
			}
		})
	}
}

// send has a task written. The error may be of an earlier one.
func (c *crew[T]) send(t *task[T]) error {
	c.mu.Lock()
	c.order = append(c.order, t)
	c.mu.Unlock()
	c.flying.Add(1)
	if c.work == nil {
		c.do(t, c.own)
	} else {
		c.work <- t
	}
	return c.err()
}

func (c *crew[T]) err() error {
	if err := c.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// do does a task, and writes all whose turn it is. After an error it only drops them.
func (c *crew[T]) do(t *task[T], write func(*T, []byte) ([]byte, error)) {
	t.rows, t.err = write(&t.of, t.rows[:0])
	c.mu.Lock()
	defer c.mu.Unlock()
	t.ready = true
	for len(c.order) > 0 && c.order[0].ready {
		t := c.order[0]
		c.order = slices.Delete(c.order, 0, 1)
		if err := t.err; c.failed.Load() == nil {
			if _, writeErr := c.out.Write(t.rows); err == nil {
				err = writeErr
			}
			if err != nil {
				c.failed.Store(&err)
			}
		}
		t.ready = false
		c.free <- t
		c.flying.Done()
	}
}

// wait waits for all tasks that were sent.
func (c *crew[T]) wait() error {
	for {
		select {
		case t := <-c.work:
			c.do(t, c.own)
		default:
			c.flying.Wait()
			return c.err()
		}
	}
}

// end ends the workers, after what they have to write. Calling it again does nothing.
func (c *crew[T]) end() error {
	if c.work != nil {
		_ = c.wait()
		close(c.work)
		c.running.Wait()
		c.work = nil
	}
	return c.err()
}

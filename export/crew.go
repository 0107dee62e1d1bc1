package export

import (
	"bufio"
	"sync"
	"sync/atomic"
)

// crew has workers write parts of an output, and puts these in order: the output does
// not depend on the number of workers. Without several of them each part is written
// when it comes.
type crew[T any] struct {
	out     *bufio.Writer
	worker  func() func(*T, []byte) ([]byte, error) // makes one that appends what it writes
	workers int

	free    chan *task[T] // to be filled
	work    chan *task[T] // to be written by a worker
	order   chan *task[T] // the same, in the order of the output
	alone   func(*T, []byte) ([]byte, error)
	running sync.WaitGroup
	flying  sync.WaitGroup // of the tasks that are not yet written
	failed  atomic.Pointer[error]
}

// task is what a worker gets, and then what it has written.
type task[T any] struct {
	of    T
	rows  []byte
	err   error
	ready chan struct{}
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
	return <-c.free
}

// start starts the workers and the collector.
func (c *crew[T]) start() {
	if c.workers <= 1 {
		c.free = make(chan *task[T], 1)
		c.free <- &task[T]{}
		c.alone = c.worker()
		return
	}
	n := c.workers + 2
	c.free, c.work, c.order = make(chan *task[T], n), make(chan *task[T], n), make(chan *task[T], n)
	for range n {
		c.free <- &task[T]{ready: make(chan struct{}, 1)}
	}
	for range c.workers {
		write := c.worker() // here, since what it is made of may change later
		c.running.Go(func() { c.run(write) })
	}
	c.running.Go(c.collect)
}

// send has a task written. The error may be of an earlier one.
func (c *crew[T]) send(t *task[T]) error {
	if c.alone != nil {
		t.rows, t.err = c.alone(&t.of, t.rows[:0])
		c.write(t)
		return c.err()
	}
	c.flying.Add(1)
	c.order <- t
	c.work <- t
	return c.err()
}

func (c *crew[T]) err() error {
	if err := c.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// run writes tasks.
func (c *crew[T]) run(write func(*T, []byte) ([]byte, error)) {
	for t := range c.work {
		t.rows, t.err = write(&t.of, t.rows[:0])
		t.ready <- struct{}{}
	}
}

// collect puts what was written in order. After an error it only drops it.
func (c *crew[T]) collect() {
	for t := range c.order {
		<-t.ready
		c.write(t)
		c.flying.Done()
	}
}

// write writes what a worker has written, unless there was an error before.
func (c *crew[T]) write(t *task[T]) {
	if c.failed.Load() == nil {
		err := t.err
		if _, writeErr := c.out.Write(t.rows); err == nil {
			err = writeErr
		}
		if err != nil {
			c.failed.Store(&err)
		}
	}
	c.free <- t
}

// wait waits for all tasks that were sent.
func (c *crew[T]) wait() error {
	c.flying.Wait()
	return c.err()
}

// end ends the workers, after what they have to write. Calling it again does nothing.
func (c *crew[T]) end() error {
	if c.work != nil {
		close(c.work)
		close(c.order)
		c.running.Wait()
		c.work = nil
	}
	return c.err()
}

// Package story makes recordings of servers whose history is known: a database
// server on a business day with some troubles, and a quiet machine without any.
// Tests hold what analyses say against the truth, docs and pictures show them.
//
// A recording is a log of whole objects with raw counters, laid out as Windows
// lays them out. Its values hang together: what processes use is what the cores
// do, what is in use and what is available make up the memory, and a disk's
// queue is its transfers times their latency. Only integers are used, so that
// every machine makes the same bytes.
package story

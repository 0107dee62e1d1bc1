// Package bounds holds tests of the memory and the time that the verbs take for
// the worst inputs of all formats.
package bounds

// Package carve finds blocks of HKEY_PERFORMANCE_DATA in any bytes: memory
// dumps, disk images, logs of an unknown format. A block is accepted if its
// header is valid and the chain of its objects ends where the header says;
// docs/formats.md has the rules. Package perfdata decodes the rest.
//
// A scan takes constant memory and time linear in the input.
package carve

// Package english finds the English names of Windows' counters by their names in
// other languages: Czech, Dutch, French, German, Hungarian, Italian, Polish,
// Portuguese (of Brazil and of Portugal), Spanish, Swedish and Turkish. It knows
// 146 objects. Russian, Chinese, Japanese and Korean names are not in it.
//
// Names match without regard to case and to the marks of letters, since the
// table has lost some: see [Fold]. A name may have several English names; the
// functions return them all.
//
// The table is packed in names.tsv.gz, which pack_test.go makes; NOTICE has its
// origin and license. It is unpacked at its first use.
package english

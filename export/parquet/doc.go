// Package parquet writes rows of counters as Parquet, the files that DuckDB,
// Spark and pandas read. It stands apart from package export since its library
// is large. docs/rows.md has the columns, docs/outputs.md the conventions.
//
//	w, err := parquet.NewCooked(file, parquet.Options{})
//	if err != nil {
//		return err
//	}
//	for f, err := range frames {
//		if err != nil {
//			return err
//		}
//		if err := w.WriteFrame(f); err != nil {
//			return err
//		}
//	}
//	return w.Close()
//
// A file has groups of 131,072 rows, fewer where they hold many names; memory
// is that of a group, whatever the number of rows.
package parquet

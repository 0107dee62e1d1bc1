package export

// Parallel is what [NewParallel] returns where it makes workers.
type Parallel = parallel

// The writers behind the formats of [NewRows], [NewCooked] and [NewRaw].
var (
	NewCSV         = newCSV
	NewJSONL       = newJSONL
	NewCookedCSV   = newCookedCSV
	NewCookedJSONL = newCookedJSONL
	NewOpenMetrics = newOpenMetrics
	NewPDHCSV      = newPDHCSV
	NewRawFrames   = newRawFrames // what [NewRaw] makes of a writer
)

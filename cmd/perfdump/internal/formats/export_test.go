package formats

// ValueText is for tests.
var ValueText = valueText

package pdhcsv

// ParseDecimal is the way of most numbers, which no cell takes by force.
var ParseDecimal = parseDecimal

package lodctr

// ExamineWithout is [Files.Examine] without the rule of an id.
func (f *Files) ExamineWithout(id string) []Finding { return f.examine(id) }

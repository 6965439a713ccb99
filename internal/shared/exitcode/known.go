package exitcode

// Known reports whether the table has rows, of any status, for the program
// whose status a run of argv reports.
func Known(argv []string) bool {
	tool := Tool(argv)
	return !isPseudo(tool) && (listed(tool) || listed(unversioned(tool)))
}

func listed(tool string) bool {
	for range rowsOf(tool) {
		return true
	}
	return false
}

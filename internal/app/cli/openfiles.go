package cli

// How many files have to be free to be opened: to read the configuration and to write
// an envelope, and for all that envwrap does. A run that stores both streams has up to 17.
const (
	filesToSpeak = 6
	filesToAct   = 18
)

// CheckOpenFiles returns a [UsageError] where fewer files can be opened than a run or
// another verb may need.
func CheckOpenFiles() error { return checkOpenFiles(filesToAct) }

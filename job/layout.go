package job

// Names inside the store's directory jobs.
const (
	jobsDir     = "jobs"
	queueDir    = ".queue" // one locked file a waiting job
	slotsDir    = ".slots" // one locked file a running job
	sameDir     = ".same"  // the last job of each identity
	submitLock  = ".submit"
	turnLock    = ".turn"
	saltFile    = ".salt"
	recordFile  = "record.json"
	resultFile  = "result.json"
	processFile = "process.json"
	lockFile    = "lock"
	entryFile   = "entry" // becomes the job's file in queueDir once it is locked
	cancelFile  = "cancel"
	spaceFile   = "space"
	stdoutFile  = "stdout"
	stderrFile  = "stderr"
)

// Package job runs commands in the background and keeps records of them, without a
// daemon.
//
// A job is a directory in the artifact store. Its supervisor, a process in a session of
// its own, locks that directory before the record is written and until the job is over;
// the kernel releases the lock however the supervisor ends. So a job whose lock is free
// and whose record has no end is lost. The next process that reads its record
// records the loss, kills the remaining processes, and stores the output so far.
//
//	jobs/<ULID>/record.json   the [Record]; replaced whole
//	jobs/<ULID>/result.json   the run's neutral record, once it is over
//	jobs/<ULID>/process.json  who supervises it, and the command's process
//	jobs/<ULID>/lock          held by the supervisor as long as it lives
//	jobs/<ULID>/stdout        the output so far, masked; gone once it is an
//	jobs/<ULID>/stderr        artifact
//	jobs/<ULID>/space         64 KiB, given back if the disk is full at the end
//	jobs/<ULID>/cancel        somebody asked the job to end
//	jobs/.queue/<ULID>        held while the job waits for its turn
//	jobs/.slots/<n>           held while a job runs
//	jobs/.same/<digest>       the last job of an identity
//	jobs/.salt                the key of these digests
//	jobs/.submit, jobs/.turn  locks of those who submit, and of those who take a slot
//	jobs/.refused/<ULID>      no job is submitted under this id any more
//	jobs/.marks/<ULID>        left by a call from elsewhere, to know this store again
//	jobs/.runners/<digest>    the mark in the store of a runner's far end
//	jobs/.ended               the jobs that are over, for lists
//	jobs/.names               the ids of all jobs, for lists of thousands
//
// The directory holds no secrets: argument lists, texts and output are masked before
// they are written, and of the environment only the names are. The environment itself
// is kept in the memory of the supervisor, which is why a queued job has one, too.
//
// A program that submits a job and waits for it:
//
//	s, err := job.Open(job.Options{Dir: store.Dir(), Now: time.Now})
//	...
//	defer s.Close()
//	sub, err := s.Submit(&job.Draft{Record: what, MaxJobs: 4, Launch: how})
//	...
//	rec, err := s.Wait(ctx, sub.Record.ID)
//
// The program in how, a [Launch], calls [Supervise], runs the command with package wrap, and
// passes the result to [Supervisor.Finish].
package job

package wrap

// fillRecording fills the Command's Recording.
func (r *run) fillRecording() {
	t := r.c.Recording
	if t == nil {
		return
	}
	*t = Recording{
		Program: r.program, ExitCode: r.end.code, Signal: r.end.signal, Name: r.end.name,
		Started: r.started, Ended: r.ended, Usage: r.usage, Left: r.left,
		Warnings: r.masked(append([]string(nil), r.warnings[len(r.c.Warnings):]...)),
	}
	if r.failure != nil || r.stopped.cause != stopNone || r.end.lost || r.storeErr != nil ||
		r.c.Stdout.Own != nil || r.c.Stderr.Own != nil {
		return
	}
	t.Whole = r.stdout.recordTo(&t.Stdout) && r.stderr.recordTo(&t.Stderr)
}

// recordTo reports whether the stream could be recorded to its last byte.
func (s *stream) recordTo(t *RecordedStream) bool {
	c := s.capture
	t.Size, t.Masked = c.bytes, s.counts()
	switch {
	case s.cut || s.failed != nil || s.passthrough.deserted():
		return false
	case c.digest != "" && !c.clipped:
		t.Artifact = c.digest
	case c.whole && c.digest == "":
		t.Bytes = c.memory
	default:
		return false
	}
	return true
}

// Package proctree finds, signals and ends the processes of a run: the child, what it
// started, and what left its process group.
package proctree

// A Config says which processes a [Tree] has.
type Config struct {
	OwnGroup  bool               // the child leads a process group of its own, not that of its parent
	Subreaper bool               // orphans come to this process, which runs nothing but commands
	IsHelper  func(pid int) bool // reports whether a descendant does not belong to the run; nil if all do
}

// A Process is one of a tree, or one that keeps a pipe of it open.
type Process struct {
	PID  int
	Name string
}

//go:build unix && !linux

package proctree

func (t *Tree) strays() []int { return nil }

func (t *Tree) stopStrays() []Process { return nil }

func (t *Tree) adopted() bool { return false }

// groupLives reports that the group that the kernel knows is alive: zombies count.
func (t *Tree) groupLives() bool { return true }

// Only Linux and Windows know which processes outlived the child.

func (t *Tree) leftovers() []Process { return nil }

func (t *Tree) outlived() bool { return false }

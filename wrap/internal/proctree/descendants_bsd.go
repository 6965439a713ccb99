//go:build unix && !linux

package proctree

func (f *Tree) strays() []int { return nil }

func (f *Tree) stopStrays() []Process { return nil }

func (f *Tree) adopted() bool { return false }

// groupLives reports that the group that the kernel knows is alive: zombies count.
func (f *Tree) groupLives() bool { return true }

// What outlived the child is known on Linux and Windows only.

func (f *Tree) leftovers() []Process { return nil }

func (f *Tree) outlived() bool { return false }

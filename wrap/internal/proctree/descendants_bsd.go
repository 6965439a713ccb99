//go:build unix && !linux

package proctree

func (f *Family) strays() []int { return nil }

func (f *Family) stopStrays() []Process { return nil }

func (f *Family) adopted() bool { return false }

// groupLives reports that the group that the kernel knows is alive: zombies count.
func (f *Family) groupLives() bool { return true }

// What outlived the child is known on Linux and Windows only.

func (f *Family) leftovers() []Process { return nil }

func (f *Family) outlived() bool { return false }

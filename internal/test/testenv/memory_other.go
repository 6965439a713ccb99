//go:build !linux

package testenv

// memoryDir returns "": no such directory is known here.
func memoryDir() string { return "" }

// Package console has the console that a command's processes share on Windows, and the
// job object that holds them. On other systems it is empty.
package console

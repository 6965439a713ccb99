// Package console is what the processes of a command are to Windows: the console that
// they share, and the job object that holds them. On other systems it is empty.
package console

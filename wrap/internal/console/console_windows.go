package console

import "golang.org/x/sys/windows"

// Present reports whether this process has a console. One that a service or
// an editor started often has none.
func Present() bool {
	_, err := windows.GetConsoleCP()
	return err == nil
}

// call calls a function of kernel32.dll that package windows does not
// have, and reports whether it succeeded.
func call(name string, args ...uintptr) bool {
	proc := windows.NewLazySystemDLL("kernel32.dll").NewProc(name)
	if proc.Find() != nil {
		return false
	}
	result, _, _ := proc.Call(args...)
	return result != 0
}

// HearCtrlC sets whether this process, and what it starts from now on, gets
// Ctrl-C (SetConsoleCtrlHandler).
func HearCtrlC(on bool) {
	ignore := uintptr(1)
	if on {
		ignore = 0
	}
	call("SetConsoleCtrlHandler", 0, ignore)
}

// Interrupt sends Ctrl-C to a process that has a console of its own,
// and to all others on it: a console can only be sent an event by a process that
// is attached to it. It reports whether it was sent.
//
// This process must have no console. It does not hear Ctrl-C afterwards, since
// the event may arrive after it has left the console.
func Interrupt(pid int) bool {
	call("FreeConsole")
	if !call("AttachConsole", uintptr(pid)) {
		return false
	}
	HearCtrlC(false)
	err := windows.GenerateConsoleCtrlEvent(windows.CTRL_C_EVENT, 0)
	call("FreeConsole")
	return err == nil
}

// EndedByControl reports whether code is the exit status of a program that Ctrl-C
// or Ctrl-Break ended: STATUS_CONTROL_C_EXIT, for which Wine has 0.
func EndedByControl(code uint32) bool {
	const statusControlC = 0xC000013A
	return code == statusControlC || code == 0 && windows.NewLazySystemDLL("ntdll.dll").NewProc("wine_get_version").Find() == nil
}

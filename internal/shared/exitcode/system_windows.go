package exitcode

// systemStatuses are exit systemStatuses by which Windows says why it ended a program
// (NTSTATUS, ntstatus.h).
var systemStatuses = [...]struct {
	code    uint32
	meaning string
}{
	{0x40010004, "DBG_TERMINATE_PROCESS: ended by a debugger"},
	{0x80000003, "STATUS_BREAKPOINT: a breakpoint was hit"},
	{0xC0000005, "STATUS_ACCESS_VIOLATION: it touched memory that is not its own"},
	{0xC0000017, "STATUS_NO_MEMORY: not enough memory"},
	{0xC000001D, "STATUS_ILLEGAL_INSTRUCTION: an instruction that the processor does not know"},
	{0xC0000094, "STATUS_INTEGER_DIVIDE_BY_ZERO: a division by zero"},
	{0xC00000FD, "STATUS_STACK_OVERFLOW: the stack is full"},
	{0xC0000135, "STATUS_DLL_NOT_FOUND: a library is missing"},
	{0xC0000139, "STATUS_ENTRYPOINT_NOT_FOUND: a library lacks a function"},
	{0xC000013A, "STATUS_CONTROL_C_EXIT: ended by Ctrl-C"},
	{0xC0000142, "STATUS_DLL_INIT_FAILED: a library did not start"},
	{0xC0000374, "STATUS_HEAP_CORRUPTION: the heap is damaged"},
	{0xC0000409, "STATUS_STACK_BUFFER_OVERRUN: it ended itself after a fault"},
}

// SystemMeaning returns what the system means by an exit status, or "" if it is the
// program's own.
func SystemMeaning(code int) string {
	for _, row := range systemStatuses {
		if row.code == uint32(code) {
			return row.meaning
		}
	}
	return ""
}

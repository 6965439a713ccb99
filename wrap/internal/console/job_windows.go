package console

import (
	"errors"
	"unsafe"

	"golang.org/x/sys/windows"
)

// A Job holds the child and all that it starts (Job Objects, Windows API): it
// takes the place of a process group.
type Job windows.Handle

// NewJob puts the process into a job of its own. What the child started before that is
// not in it. If the system refuses, the job is 0 and holds nothing.
func NewJob(pid int) Job {
	handle, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0
	}
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err == nil {
		err = windows.AssignProcessToJobObject(handle, process)
		_ = windows.CloseHandle(process)
	}
	if err != nil {
		_ = windows.CloseHandle(handle)
		return 0
	}
	return Job(handle)
}

// Terminate ends every process of the job, with an exit status.
func (j Job) Terminate(status uint32) {
	if j != 0 {
		_ = windows.TerminateJobObject(windows.Handle(j), status)
	}
}

// membersMost is the most processes of a job that are looked at.
const membersMost = 20

// Members returns the ids of the living processes of the job, at most membersMost.
func (j Job) Members() []int {
	if j == 0 {
		return nil
	}
	const basicProcessIDList = 3 // JobObjectBasicProcessIdList
	var list struct {
		assigned, listed uint32
		ids              [membersMost]uintptr
	}
	err := windows.QueryInformationJobObject(windows.Handle(j), basicProcessIDList,
		uintptr(unsafe.Pointer(&list)), uint32(unsafe.Sizeof(list)), nil)
	if err != nil && !errors.Is(err, windows.ERROR_MORE_DATA) {
		return nil
	}
	pids := make([]int, 0, membersMost)
	for _, id := range list.ids[:min(int(list.listed), membersMost)] {
		pids = append(pids, int(id))
	}
	return pids
}

// Close releases the job; its processes live on.
func (j Job) Close() {
	if j != 0 {
		_ = windows.CloseHandle(windows.Handle(j))
	}
}

// ProgramOf returns the path of a process's program, or "" if the system does not say.
func ProgramOf(pid int) string {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return ""
	}
	defer func() { _ = windows.CloseHandle(process) }()
	buf := make([]uint16, windows.MAX_LONG_PATH)
	size := uint32(len(buf))
	if err := windows.QueryFullProcessImageName(process, 0, &buf[0], &size); err != nil {
		return ""
	}
	return windows.UTF16ToString(buf[:size])
}

package wrap_test

import "os/exec"

func detach(*exec.Cmd) {}

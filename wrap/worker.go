package wrap

import (
	"slices"

	"github.com/envwrap/envwrap/internal/shared/exitcode"
	"github.com/envwrap/envwrap/internal/shared/shell"
)

// workers are programs that build, test, install or watch: of what they print, that counts
// which tells how it went.
var workers = [...]string{
	"make", "gmake", "ninja", "cmake", "ctest", "bazel", "buck", "gradle", "gradlew", "mvn", "mvnw", "ant", "sbt", "go", "cargo", "rustc", "gcc", "g++",
	"cc", "c++", "clang", "clang++", "javac", "dotnet", "msbuild", "swift", "xcodebuild", "npm", "npx", "pnpm", "yarn", "bun", "deno", "node", "jest",
	"vitest", "mocha", "ava", "playwright", "cypress", "tsc", "eslint", "webpack", "vite", "rollup", "esbuild", "next", "turbo", "nx", "pytest",
	"unittest", "tox", "nox", "python", "python3", "pip", "pip3", "uv", "poetry", "ruff", "mypy", "pylint", "rspec", "rake", "bundle", "phpunit",
	"composer", "prove", "docker", "podman", "docker-compose", "helm", "kubectl", "terraform", "tofu", "ansible-playbook", "apt", "apt-get", "dnf",
	"yum", "brew", "journalctl", "dmesg",
}

// showing are the subcommands of these with which they print something to read.
var showing = [...]string{
	"doc", "env", "list", "help", "version", "show", "config", "view", "describe", "explain", "inspect", "cat", "info", "get", "-h", "--help", "-V",
	"--version", "-c",
}

// reportsWork reports whether the output of a command tells how some work went. A text of a
// shell does if one of its commands does.
func reportsWork(argv []string) bool {
	argv = exitcode.Through(argv)
	inv, ok := shell.ReadInvocation(argv)
	if !ok {
		return isWorker(argv)
	}
	text, err := shell.Parse(inv.Text, inv.Dialect)
	if err != nil {
		return false
	}
	for _, p := range text.List() {
		if slices.ContainsFunc(p.Stages, func(s shell.Stage) bool { return isWorker(exitcode.Through(s.Args())) }) {
			return true
		}
	}
	return false
}

func isWorker(argv []string) bool {
	return len(argv) > 0 && slices.Contains(workers[:], exitcode.Tool(argv)) && !slices.ContainsFunc(argv[1:min(len(argv), 3)], func(arg string) bool { return slices.Contains(showing[:], arg) })
}

package hints

import "strings"

// textHints are what to do about failures that a program names. The first whose text is in
// a line of the output decides. In a hint NAME stands for what follows the text in quotes,
// or up to the first blank or colon; for a text that begins with a colon, the word before it.
var textHints = [...]struct {
	text, hint string
}{
	{"index.lock': File exists", "Another git process works on the index: try again when it has ended. If none runs any more, remove .git/index.lock."},
	{"(fetch first)", "Take over what the remote has, then push again: git pull --rebase."},
	{"(non-fast-forward)", "Take over what the remote has, then push again: git pull --rebase."},
	{"Address already in use", "Another process listens on that port: stop it (ss -ltnp names it), or choose another port."},
	{"address already in use", "Another process listens on that port: stop it (ss -ltnp names it), or choose another port."},
	{"EADDRINUSE", "Another process listens on that port: stop it (ss -ltnp names it), or choose another port."},
	{"JavaScript heap out of memory", "Node's memory limit is reached. Raise it with NODE_OPTIONS=--max-old-space-size=4096 (MiB), or give it less to do at once."},
	{"java.lang.OutOfMemoryError", "The memory limit of the JVM is reached. Raise it with -Xmx (JAVA_TOOL_OPTIONS, MAVEN_OPTS, org.gradle.jvmargs), or give it less to do at once."},
	{"MemoryError", "Python could not get the memory. Give it less data at once, or raise the limit (ulimit -v, the container's)."},
	{"error while loading shared libraries: ", "Install the package that has the library NAME, or name its directory in LD_LIBRARY_PATH."},
	{": cannot open shared object file", "Install the package that has the library NAME, or name its directory in LD_LIBRARY_PATH."},
	{"ModuleNotFoundError: No module named ", "Check the spelling of NAME, activate its environment, or install it: pip install NAME."},
	{"Cannot find module ", "Check the path or the spelling of NAME; npm install puts the packages of package.json there."},
	{"No space left on device", "Make room on the disk, or write to a file system that is not read-only."},
	{"code ERESOLVE", "Change one of the versions that npm names, or accept the conflict with --legacy-peer-deps."},
	{"Cannot connect to the Docker daemon", "Start the Docker daemon, or name another one in DOCKER_HOST."},
	{"This is not the tsc command you are looking for", "Install TypeScript in the project: npm install --save-dev typescript."},
	{"from proxy after CONNECT", "The proxy refuses this host: ask for access to it, or name another proxy in HTTPS_PROXY."},
	{"CONNECT tunnel failed", "The proxy refuses this host: ask for access to it, or name another proxy in HTTPS_PROXY."},
	{"cannot load such file -- ", "Check the spelling of NAME, or install it: bundle install, gem install NAME."},
}

// Text returns what to do about a failure that the lines of an output name, or "".
func Text(output string) string {
	for _, h := range textHints {
		before, rest, ok := strings.Cut(output, h.text)
		if !ok {
			continue
		}
		if !strings.Contains(h.hint, "NAME") {
			return h.hint
		}
		if strings.HasPrefix(h.text, ":") {
			rest = before[strings.LastIndexAny(before, " \n")+1:] + ":"
		}
		name := named(rest)
		if name == "" {
			continue
		}
		if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "/") {
			return strings.ReplaceAll("There is no file NAME: check the path, and the directory that the command runs in.", "NAME", name)
		}
		return strings.ReplaceAll(h.hint, "NAME", name)
	}
	return ""
}

// named returns the name at the beginning of a text: in quotes, or a word. Of a module of
// Python it is the first part.
func named(text string) string {
	if text == "" {
		return ""
	}
	end := -1
	if quote := text[0]; quote == '\'' || quote == '"' {
		text = text[1:]
		end = strings.IndexByte(text, quote)
	} else {
		end = strings.IndexAny(text, " :\n")
	}
	if end < 0 || end > 100 || strings.ContainsAny(text[:end], " \n`$") {
		return ""
	}
	return text[:end]
}

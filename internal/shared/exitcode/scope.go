package exitcode

import "strings"

// matchScope fits a row's scope against the arguments of a call. It returns
// how many tokens of scope were met, 0 for a row without a scope, and whether
// the row speaks of the call at all.
//
// Alternatives are separated by commas. Each is a list of tokens: words, which
// are the tool's subcommand and must be its first operands in that order, and
// flags, which may be anywhere before "--", where "/" separates flags of
// which one is enough.
//
// A token in parentheses is a note: the row then speaks of the status of
// another program (of the script that "git bisect run" calls), and never of
// the tool's own.
func matchScope(tool, scope string, args []string) (tokens int, ok bool) {
	if scope == "" {
		return 0, true
	}
	for alternative := range strings.SplitSeq(scope, ",") {
		if n, ok := matchTokens(tool, alternative, args); ok && n > tokens {
			tokens = n
		}
	}
	return tokens, tokens > 0
}

func matchTokens(tool, alternative string, args []string) (n int, ok bool) {
	words := operands{args: args, values: valueOptions(tool)}
	for token := range strings.FieldsSeq(alternative) {
		switch token[0] {
		case '(':
			return 0, false
		case '-':
			ok = hasFlag(args, token)
		default:
			ok = words.next() == token
		}
		if !ok {
			return 0, false
		}
		n++
	}
	return n, n > 0
}

// operands walks the arguments that are no options.
type operands struct {
	args   []string
	values string // options whose value is the next argument
	done   bool   // "--" was seen
}

// next returns the next operand, or "" at the end.
func (o *operands) next() string {
	for len(o.args) > 0 {
		arg := o.args[0]
		o.args = o.args[1:]
		switch {
		case o.done:
			return arg
		case arg == "--":
			o.done = true
		case strings.HasPrefix(arg, "+"): // cargo's toolchain
		case !strings.HasPrefix(arg, "-") || arg == "-":
			return arg
		case inList(o.values, ' ', arg) && len(o.args) > 0:
			o.args = o.args[1:]
		}
	}
	return ""
}

// hasFlag reports whether one of the flags, separated by "/", is set in args.
func hasFlag(args []string, flags string) bool {
	for _, arg := range args {
		if arg == "--" {
			return false
		}
		if len(arg) < 2 || arg[0] != '-' {
			continue
		}
		for flag := range strings.SplitSeq(flags, "/") {
			if isFlag(arg, flag) {
				return true
			}
		}
	}
	return false
}

// isFlag reports whether arg sets flag: as it is, with a value after "=" that
// does not say no, with one dash or two where the flag is a word, and for a
// single letter as one of several letters after one dash.
func isFlag(arg, flag string) bool {
	name, value, _ := strings.Cut(arg, "=")
	if name == flag || (isWord(flag) && strings.TrimLeft(name, "-") == strings.TrimLeft(flag, "-")) {
		return value != "false"
	}
	return len(flag) == 2 && isCluster(arg) && strings.IndexByte(arg, flag[1]) > 0
}

// isWord reports whether flag is one of the words after a single dash that
// programs in Go take, for which two dashes do as well.
func isWord(flag string) bool {
	return len(flag) > 2 && flag[1] != '-'
}

// isCluster reports whether arg is a dash and letters only.
func isCluster(arg string) bool {
	if len(arg) < 2 || arg[0] != '-' {
		return false
	}
	for _, c := range []byte(arg[1:]) {
		if c|0x20 < 'a' || c|0x20 > 'z' {
			return false
		}
	}
	return true
}

// A globalOptions row names the options of a tool that may be before its
// subcommand with the value as the next argument, so that "git -C dir diff" is
// known as a diff, and "git checkout diff" as none.
type globalOptions struct{ tool, options string }

var globals = [...]globalOptions{
	{"git", "-C -c --git-dir --work-tree --namespace --config-env --attr-source"},
	{"gh", "-R --repo --hostname"},
	{"docker", "-H --host -l --log-level -c --context --config --tlscacert --tlscert --tlskey"},
	{"podman", "-c --connection --url --identity --log-level --root --runroot --storage-driver --storage-opt --cgroup-manager --conmon --events-backend --module --runtime --tmpdir --volumepath"},
	{"kubectl", "-n --namespace --context --kubeconfig --cluster --user --as --as-group --as-uid -s --server --token --request-timeout --tls-server-name --cache-dir --certificate-authority --client-certificate --client-key --username --password --profile --profile-output -v --v --vmodule -f --filename -l --selector -k --kustomize"},
	{"helm", "-n --namespace --kube-context --kubeconfig --kube-apiserver --kube-as-group --kube-as-user --kube-ca-file --kube-tls-server-name --kube-token --registry-config --repository-cache --repository-config --burst-limit --qps"},
	{"npm", "-C --prefix -w --workspace --registry --userconfig --globalconfig --cache --loglevel --script-shell"},
	{"cargo", "-C -Z --config --color --manifest-path --target-dir"},
	{"go", "-C"},
	{"uv", "--directory --project --config-file --cache-dir --color --allow-insecure-host --python-preference"},
	{"dnf", "-c --config -x --exclude --repo --repoid --enablerepo --disablerepo --releasever --installroot -d -e --setopt -R --comment --advisory --forcearch --enableplugin --disableplugin"},
	{"yum", "-c --config -x --exclude --repo --repoid --enablerepo --disablerepo --releasever --installroot -d -e --setopt -R"},
	{"systemctl", "-H --host -M --machine -t --type --state -p --property -P -o --output -n --lines --root -s --signal --kill-whom --job-mode"},
}

func valueOptions(tool string) string {
	for _, g := range globals {
		if g.tool == tool {
			return g.options
		}
	}
	return ""
}

// inList reports whether item is one of the elements of list.
func inList(list string, sep byte, item string) bool {
	for len(list) > len(item) {
		i := strings.IndexByte(list, sep)
		if i < 0 {
			return false
		}
		if list[:i] == item {
			return true
		}
		list = list[i+1:]
	}
	return list == item
}

package redact

import "bytes"

const ruleCLI = "command-line"

// A cliFlag is an option of a program whose argument is, or has, a password.
type cliFlag struct {
	program string
	option  string // with its dash
	joined  bool   // the argument may follow without a space
	pair    bool   // the argument is user:password; the user stays
}

// flags lists options whose names do not tell. Sources are the manual pages.
var flags = []cliFlag{
	{"curl", "-u", true, true},
	{"curl", "--user", false, true},
	{"curl", "-U", true, true},
	{"curl", "--proxy-user", false, true},
	{"http", "-a", false, true},
	{"https", "-a", false, true},
	{"http", "--auth", false, true},

	{"sshpass", "-p", true, false},
	{"mysql", "-p", true, false},
	{"mysqldump", "-p", true, false},
	{"mysqladmin", "-p", true, false},
	{"mariadb", "-p", true, false},
	{"docker", "-p", false, false},
	{"podman", "-p", false, false},
	{"skopeo", "--creds", false, true},
	{"buildah", "--creds", false, true},
	{"psexec", "-p", false, false},
	{"psexec.exe", "-p", false, false},
	{"redis-cli", "-a", false, false},
	{"mongo", "-p", false, false},
	{"mongosh", "-p", false, false},
	{"mongodump", "-p", false, false},
	{"ldapsearch", "-w", false, false},
	{"ldapmodify", "-w", false, false},
	{"ldapadd", "-w", false, false},
	{"sqlcmd", "-P", true, false},
	{"bcp", "-P", true, false},
	{"zip", "-P", false, false},
	{"unzip", "-P", false, false},
	{"smbclient", "-U", false, true},
	{"crackmapexec", "-p", false, false},
	{"evil-winrm", "-p", false, false},
	{"ipmitool", "-P", false, false},
	{"lftp", "-u", false, true},
	{"snmpget", "-A", false, false},
	{"snmpwalk", "-A", false, false},
	{"htpasswd", "-b", false, false},
}

// maxArgs bounds how many words of a command line are looked at.
const maxArgs = 64

// commandLine looks at the options of the program whose name is at pos.
func commandLine(v *view, pos int) {
	if pos > v.lo && !programStart(v.text[pos-1]) {
		return
	}
	n := run(v.text[pos:v.hi], word|dash|dot)
	var buf [16]byte
	name := string(lowered(buf[:0], v.text[pos:pos+n]))
	if pos+n >= v.hi || v.text[pos+n] != ' ' {
		return
	}
	v.options(name, pos+n)
}

// programStart reports whether a program's name may begin behind c.
func programStart(c byte) bool {
	switch c {
	case ' ', '\t', '/', '\\', '"', '\'', '`', '(', ';', '&', '|', '>', ',', '[', ':', '$', '+', '-', '%':
		return true
	}
	return false
}

// options looks at the words from i on for the options of program.
func (v *view) options(program string, i int) {
	v.curl = v.curl || program == "curl"
	for n := 0; n < maxArgs && i < v.hi; n++ {
		i = v.spaces(i)
		w := v.shellWord(i)
		if w == i {
			return
		}
		if v.text[i] == '-' || v.text[i] == '"' || v.text[i] == '\'' {
			i = v.option(program, i, w)
			continue
		}
		i = w
	}
}

// shellWord is the end of the word at i. A quoted part is kept together where
// it begins the word, or follows a colon or an equals sign; any other quote
// ends the word, for it ends the string that the command stands in.
func (v *view) shellWord(i int) int {
	start := i
	for i < v.hi {
		c := v.text[i]
		if is(c, blank) || c == '\r' {
			return i
		}
		n := 0
		for i+n < v.hi && v.text[i+n] == '\\' {
			n++
		}
		if i+n < v.hi && isQuote(v.text[i+n]) {
			if i > start && v.text[i-1] != ':' && v.text[i-1] != '=' || v.closesString(i, n) {
				return i
			}
			q := quote{mark: v.text[i+n], escape: n}
			v.quoted(i+n+1, &q)
			if q.open {
				return i
			}
			i = q.after
			continue
		}
		i += n + 1
	}
	return min(i, v.hi)
}

// closesString reports whether the mark behind n backslashes at i ends the
// string in double quotes that i is in.
func (v *view) closesString(i, n int) bool {
	return v.text[i+n] == '"' && n%2 == 0 && v.quotes(i)%2 == 1
}

// option looks at the option v.text[i:w], and returns where to go on.
func (v *view) option(program string, i, w int) int {
	opt := bytes.Trim(v.text[i:w], `"',`)
	for _, f := range flags {
		if f.program != program {
			continue
		}
		switch {
		case string(opt) == f.option:
			j := v.spaces(w)
			end := v.shellWord(j)
			v.argument(f, j, end)
			return end
		case len(opt) > len(f.option) && f.joined && string(opt[:len(f.option)]) == f.option,
			len(opt) > len(f.option)+1 && f.option[1] == '-' && string(opt[:len(f.option)]) == f.option && opt[len(f.option)] == '=':
			at := bytes.Index(v.text[i:w], opt) + i + len(f.option)
			if v.text[at] == '=' {
				at++
			}
			v.argument(f, at, at+len(opt)-(at-i-bytes.Index(v.text[i:w], opt)))
			return w
		}
	}
	return w
}

// argument marks the password in the argument v.text[i:end] of f.
func (v *view) argument(f cliFlag, i, end int) {
	for i < end && (isQuote(v.text[i]) || v.text[i] == '\\') {
		i++
	}
	for end > i && (isQuote(v.text[end-1]) || v.text[end-1] == '\\' || v.text[end-1] == ',') {
		end--
	}
	if f.pair {
		n := bytes.IndexByte(v.text[i:end], ':')
		if n < 0 || reference(v.text[i:end]) || templates(v.text[i:end]) > 0 {
			return
		}
		p := bytes.Trim(v.text[i+n+1:end], `"'`)
		if u := v.text[i : i+n]; len(p) == 0 && !traitsOf(u).random(u, 8) {
			return
		}
		if len(p) > 0 && (reference(p) || p[0] == '$' || placeholder(p, traitsOf(p)) && !commonSecret(p)) {
			return
		}
		v.add(i, end, ruleCLI)
		return
	}
	b := v.text[i:end]
	if len(b) == 0 || b[0] == '-' {
		return
	}
	if t := traitsOf(b); t.n < 3 || t.signs == t.n || placeholder(b, t) && !commonSecret(b) {
		return
	}
	v.add(i, end, ruleCLI)
}

// commonSecret reports whether b, as an argument, is a bad password rather
// than the word for one.
func commonSecret(b []byte) bool {
	switch string(b) {
	case "secret", "admin", "root", "changeme", "test", "guest", "foobar":
		return true
	}
	return false
}

package redact

// secureString finds the text that PowerShell's ConvertTo-SecureString is given;
// pos is that of its name.
func secureString(v *view, pos int) {
	i := v.spaces(pos + len("ConvertTo-SecureString"))
	for n := 0; i < v.hi && n < 8; n++ {
		if v.text[i] != '-' {
			val, q := v.value(i)
			b := v.text[val.start:val.end]
			if t := traitsOf(b); t.n > 3 && !t.placeholder() && (q.mark != 0 || t.digits+t.signs > 0) {
				v.add(val.start, val.end, ruleCLI)
			}
			return
		}
		i = v.spaces(v.shellWord(i))
	}
}

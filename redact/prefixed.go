package redact

// tokenTables are all tables of tokens.
var tokenTables = [...]*[]family{&vcsTokens, &cloudTokens, &aiTokens, &payTokens, &chatTokens, &opsTokens}

// A tokenRef is where in the tables a token is.
type tokenRef struct{ table, family, token uint8 }

func (r tokenRef) get() (*family, *token) {
	f := &(*tokenTables[r.table])[r.family]
	return f, &f.tokens[r.token]
}

// A prefixed is the tokens that begin alike.
type prefixed []tokenRef

// quick reports whether one of the tokens may be at b[pos:].
func (p prefixed) quick(b []byte, pos int) bool {
	if pos > 0 && is(b[pos-1], word) && !is(b[pos-1], lower) && !escapedByte(b[:pos]) {
		return false
	}
	if pos > 1 && is(b[pos-1], lower) && b[pos-1] != 'm' && b[pos-2] != '\\' && !escapedByte(b[:pos]) {
		return false
	}
	for _, r := range p {
		_, t := r.get()
		end := pos + len(t.prefix)
		last := end + max(t.min, 1) - 1
		if last < len(b) && is(b[end], t.class) && is(b[last], t.class) && is(b[end+t.min/2], t.class) {
			return true
		}
	}
	return false
}

// find marks the longest token at pos.
func (p prefixed) find(v *view, pos int) {
	if !v.boundary(pos) {
		return
	}
	n, rule := 0, ""
	for _, r := range p {
		f, t := r.get()
		if m := t.match(v, pos); m > n {
			n, rule = m, f.rule
		}
	}
	if n == 0 {
		return
	}
	v.add(pos, pos+n, rule)
	if size := pairOf(rule); size > 0 {
		v.next.pair = partner{size: size, lines: maxPairLines}
		v.secretOf(v.next.pair, pos+n)
	}
}

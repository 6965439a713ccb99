package redact

// maxBranded is the greatest length of a value behind the name of a service.
const maxBranded = 2048

// branded looks for a value that follows the name of a service and a word for
// a secret, with no more between them than a space or a dash: "wandb key x",
// "vendorSECRET-x". The word is at pos, within the name v.text[start:end].
// It reports whether it found one.
func (v *view) branded(start, pos, end int) bool {
	b := v.text[:v.hi]
	i := pos + run(b[pos:], alpha)
	loud := run(b[pos:i], upper) >= 3
	if !v.brand(start, pos, loud) {
		return false
	}
	for range 3 {
		n := run(b[i:], dash|dot|under|blank|colon|equals)
		if n == 0 || n > 3 {
			return false
		}
		i += n
		if w := run(b[i:], alpha); w > 0 && w <= 7 && i+w < len(b) && is(b[i+w], dash|dot|under|blank|colon|equals) && wordStrength(string(lowered(make([]byte, 0, 8), b[i:i+w]))) != silent {
			i += w
			continue
		}
		break
	}
	n := run(b[i:min(len(b), i+maxBranded)], urlSafe|equals|plus|dot)
	val := b[i : i+n]
	t := traitsOf(val)
	if t.n < 14 || t.digits < 2 || t.placeholder() || t.path() {
		return false
	}
	if !t.random(14) && t.digits < 4 {
		return false
	}
	v.add(i, i+n, ruleAssignment)
	return true
}

// brand reports whether the word for a secret at pos has the name of a service
// before it: a known one, or, where the word is in capitals, any in small
// letters.
func (v *view) brand(start, pos int, loud bool) bool {
	i := pos
	if n := runBack(v.text[start:pos], dash|dot|under); n == 0 && i == start && i > v.lo && v.text[i-1] == ' ' {
		i--
	} else {
		i -= n
	}
	n := runBack(v.text[v.lo:i], alnum)
	w := v.text[i-n : i]
	if loud && n >= 4 && run(w, lower|digit) == n && is(w[0], lower) {
		return true
	}
	var buf [24]byte
	return n >= 3 && n <= 24 && service(string(lowered(buf[:0], w)))
}

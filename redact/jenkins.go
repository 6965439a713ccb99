package redact

import "bytes"

const ruleJenkins = "jenkins-secret"

// jenkinsSecret marks what Jenkins has encrypted, which begins at pos: all that is
// between the braces around it, as in <password>{AQAAABAAA...}</password>, or, without
// braces, the base64 alone (https://www.jenkins.io/doc/developer/security/secrets/).
func jenkinsSecret(v *view, pos int) {
	start := pos - runBack(v.text[max(v.lo, pos-maxBefore):pos], urlSafe|dot|blank)
	if start > v.lo && v.text[start-1] == '{' {
		end := pos
		for end < v.hi && end-pos < maxServiceValue && is(v.text[end], anyToken|blank|colon) {
			end++
		}
		if end < v.hi && v.text[end] == '}' && end-pos >= minBraced {
			v.add(start, end, ruleJenkins)
			return
		}
	}
	if n := v.runOf(pos, base64c|equals); n >= minJenkins && (pos == v.lo || !is(v.text[pos-1], base64c)) && v.boundary(pos) {
		v.add(pos, pos+n, ruleJenkins)
	}
}

// encryptedElement marks what Maven and Jenkins have encrypted: all of the text of an
// element, in base64 and in the braces that open at pos, or after the tag there
// (https://maven.apache.org/guides/mini/guide-encryption.html).
func encryptedElement(v *view, pos int) {
	start := pos + bytes.IndexByte(v.text[pos:v.hi], '{') + 1
	n := v.runOf(start, base64c|equals)
	if end := start + n; n >= minBraced && n%4 == 0 && end < v.hi && v.text[end] == '}' && traitsOf(v.text[start:end]).random(minBraced) {
		v.add(start, end, ruleJenkins)
	}
}

// minBraced is the least length of what is in braces.
const minBraced = 20

// minJenkins is the least length of what Jenkins writes, in base64: a magic byte, two
// lengths, an initial vector and one block.
const minJenkins = 49

package redact

import "bytes"

const ruleSignature = "request-signature"

// nearSignature is how far after the name of the method the signature may be.
const nearSignature = 1024

// awsSignature finds the signature of a request to AWS, version 4, whose method is
// named at pos (https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html).
func awsSignature(v *view, pos int) {
	line := v.text[pos:min(v.hi, pos+nearSignature)]
	for i := 0; ; {
		k := bytes.Index(line[i:], []byte("Signature"))
		if k < 0 {
			return
		}
		i += k + len("Signature")
		j := i
		for j < len(line) && (isQuote(line[j]) || is(line[j], equals|colon|blank) || line[j] == '\\') {
			j++
		}
		if n := run(line[j:], hexDigit); n == 64 {
			v.add(pos+j, pos+j+n, ruleSignature)
		}
	}
}

const ruleDump = "password-hash"

// hashDump finds the hashes of Windows passwords in a dump, user:id:LM:NT:::, whose
// three colons are at pos.
func hashDump(v *view, pos int) {
	nt := pos - runBack(v.text[v.lo:pos], hexDigit)
	if pos-nt != 32 || nt == v.lo || v.text[nt-1] != ':' {
		return
	}
	start := nt
	if lm := nt - 1 - runBack(v.text[v.lo:nt-1], hexDigit); nt-1-lm == 32 {
		start = lm
	}
	v.add(start, pos, ruleDump)
}

// userPassword finds the user and password that are told to curl by an option of its
// library: CURLOPT_USERPWD, "user:password".
func userPassword(v *view, pos int) {
	i := pos + run(v.text[pos:v.hi], word)
	for i < v.hi && (is(v.text[i], blank|comma|equals) || v.text[i] == '>' || v.text[i] == ')' || v.text[i] == ']' || (isQuote(v.text[i]) || v.text[i] == '\\') && i+1 < v.hi && !is(v.text[i+1], alnum)) {
		i++
	}
	if i >= v.hi || !isQuote(v.text[i]) {
		return
	}
	s, q := v.value(i - backslashes(v.text[v.lo:], i-v.lo))
	if n := bytes.IndexByte(v.text[s.start:s.end], ':'); n > 0 && !q.open {
		v.argument(cliFlag{sep: ':'}, s.start, s.end)
	}
}

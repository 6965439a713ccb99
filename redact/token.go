package redact

// A token is a kind of secret with a fixed prefix.
type token struct {
	rule     string
	prefix   string
	class    class // of what follows
	min, max int   // bytes that follow; more is no match, but 0 is no limit
	doc      string
	sample   string // what follows the prefix, made up
}

// match finds the token whose prefix is at pos.
func (t *token) match(v *view, pos int) {
	if !v.boundary(pos) {
		return
	}
	i := pos + len(t.prefix)
	n := run(v.text[i:v.hi], t.class)
	if n < t.min || t.max > 0 && n > t.max {
		return
	}
	b := v.text[i : i+n]
	if tr := traitsOf(b); tr.distinct < 5 || placeholder(b, tr) {
		return
	}
	v.add(pos, i+n, t.rule)
}

// boundary reports whether a token may begin at i: not within a word.
func (v *view) boundary(i int) bool {
	if i == v.lo {
		return !v.cutLeft
	}
	c := v.text[i-1]
	if !is(c, word) {
		return true
	}
	return is(c, lower) && backslashes(v.text[v.lo:], i-1-v.lo)%2 == 1
}

// tokens is the table of tokens. Samples are made up.
var tokens = []token{
	{"github-token", "ghp_", alnum, 36, 0, "https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github", "w5xxluqjwgn4duxvcjqdzjmr3rhz1tcmloa5"},
	{"github-token", "gho_", alnum, 36, 0, "", "w5xxluqjwgn4duxvcjqdzjmr3rhz1tcmloa5"},
	{"github-token", "ghu_", alnum, 36, 0, "", "w5xxluqjwgn4duxvcjqdzjmr3rhz1tcmloa5"},
	{"github-token", "ghs_", alnum, 36, 0, "", "w5xxluqjwgn4duxvcjqdzjmr3rhz1tcmloa5"},
	{"github-token", "ghr_", alnum, 36, 0, "", "w5xxluqjwgn4duxvcjqdzjmr3rhz1tcmloa5"},
	{"github-token", "github_pat_", word, 36, 0, "", "fq98n4usikqqbkgozzt0cybc5aupxcga2glkkxbknagpc4ju0z0s3oltb1vfqeestdk79imj3y1kzye48j"},
	{"gitlab-token", "glpat-", urlSafe | dot, 20, 0, "", "ljesy3otre4q5ikyv1r8"},
	{"aws-access-key-id", "AKIA", digit | upper, 16, 16, "", "GIREOGIAWSKEY321"},
	{"aws-access-key-id", "ASIA", digit | upper, 16, 16, "", "GIREOGIAWSKEY321"},
	{"slack-token", "xoxb-", urlSafe, 20, 0, "", "1029384756-102938475610-abcdEFGHijklMNOPqrst1234"},
	{"slack-token", "xoxp-", urlSafe, 20, 0, "", "1029384756-102938475610-abcdEFGHijklMNOPqrst1234"},
	{"anthropic-api-key", "sk-ant-", urlSafe, 60, 0, "", "api03-xvl9a3l6wgsxypd22vp2371fg9vz6f4fb76k4yhibybpja3ggfo8lpsoxtzfkuqopfbb3y52wnezkjy1f"},
	{"openai-api-key", "sk-proj-", urlSafe, 40, 0, "", "f5UKZNwZTgzRb8ZucIrNqTs9oT6D1DMRv0Zq3WY7G1J1OwPsXwgv6WFxEn8XrZu2vvosfG7T3"},
	{"google-api-key", "AIza", urlSafe, 35, 35, "", "56BdgZgV52HO9S6hb5RZJe768qaEiXksmqu"},
	{"stripe-key", "sk_live_", alnum, 20, 0, "", "ReTllpYQYfIZu2Jnf2lAPFjD"},
	{"npm-token", "npm_", alnum, 36, 36, "", "w5xxluqjwgn4duxvcjqdzjmr3rhz1tcmloa5"},
	{"jwt", "eyJ", urlSafe | dot, 30, 0, "", "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N"},
}

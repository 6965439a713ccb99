package redact

import "testing"

// Every rule says what it goes by, and how sure that is.
func TestExplain(t *testing.T) {
	rules := []string{"env:X", "secret-file", ruleAssignment, ruleOption, ruleKey, "jwt", ruleService}
	for _, table := range tokenTables {
		for _, f := range *table {
			rules = append(rules, f.rule)
		}
	}
	for _, x := range infixes {
		rules = append(rules, x.rule)
	}
	other, _ := Explain("a rule of somebody's")
	for _, rule := range rules {
		what, sure := Explain(rule)
		if what == "" || what == other || sure != Certain && sure != Likely && sure != Possible {
			t.Errorf("%s: %q, %q", rule, what, sure)
		}
	}
}

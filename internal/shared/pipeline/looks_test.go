package pipeline

import (
	"testing"

	"github.com/envwrap/envwrap/internal/shared/shell"
)

// A stage looks only if it can neither write a file nor run a program.
func TestLooks(t *testing.T) {
	for source, want := range map[string]bool{
		"head -5": true, "tail -n \"$n\"": true, "/bin/grep -rn x .": true, "wc -l 2>&1": true, "sort -u 2>/dev/null": true, "LC_ALL=C sort": true, "less": true, "jq .a": true,
		"sort -o out": false, "sort --out=f": false, "sort -uo f": false, "sort --compress-program=x": false, "sort $x": false, "rg --pre=x y": false, "rg x": true,
		"uniq -c": true, "uniq a b": false, "uniq - out": false,
		"sed -n 1,20p": true, "sed -n '/warning/,$p'": true, "sed 's/a/b/g'": true, "sed -n '/a/{p;q}'": true, "sed -n 's/x/y/p;5q'": true, "sed '$!d'": true,
		"sed -i s/a/b/": false, "sed -n w": false, "sed 's/a/b/w out'": false, "sed 's/a/b/e'": false, "sed '1e date'": false, "sed -n '/a/w out'": false, "sed -f x": false, "sed \"$s\"": false, "sed -s 's/a/b/;w f'": false,
		"awk '{print $1}'": true, "awk '{print > \"f\"}'": false, "awk '{system(\"x\")}'": false, "awk '{print | \"sh\"}'": false, "awk -f x": false, "awk '$1 > 3'": false,
		"tee f": false, "xargs rm": false, "cat > f": false, "tail 2> f": false, "tail &> f": false, "tail < f": false, "tail >& f": false, "sh": false, "$x": false, "( head )": false, "{ head; }": false,
	} {
		text, err := shell.Parse("make | "+source, shell.Bash)
		if err != nil {
			t.Errorf("%q: %v", source, err)
			continue
		}
		if got := Looks(text.List()[0].Stages[1]); got != want {
			t.Errorf("Looks(%q) = %t, want %t", source, got, want)
		}
	}
}

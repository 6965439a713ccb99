package pipeline

import (
	"strings"

	"github.com/envwrap/envwrap/internal/shared/shell"
)

// A reader is a program that reads its standard input to the end, whatever it
// finds there, as long as its arguments do not say otherwise.
type reader struct {
	names string // separated by blanks
	// operands is how many arguments come before the first file; more than that
	// and the program reads files. -1 says that operands are never read from.
	operands int
	// values are options whose value is the next argument.
	values string
	// script are options that stand for the first operand.
	script string
	// early are options with which the program may stop, or reads something
	// else.
	early string
	// stops are words that in the script mean an end before the end of input.
	stops string
}

// readers follow the manuals of GNU coreutils 9.7, grep 3.11, sed 4.9, gawk
// 5.3, util-linux 2.41, gzip 1.14, jq 1.8, ripgrep 15 and moreutils 0.69.
// Options that only print help or a version are left out: the status is 0 then.
var readers = [...]reader{
	{names: "cat tac rev nl expand unexpand sponge"},
	{names: "tail", values: "-n --lines -c --bytes -s --sleep-interval --pid --max-unchanged-stats", early: "--pid"},
	{names: "tee", operands: -1},
	{names: "sort", values: "-k --key -t --field-separator -o --output -S --buffer-size -T --temporary-directory --batch-size --parallel --compress-program", early: "-c -C --check --files0-from"},
	{names: "wc", early: "--files0-from"},
	{names: "uniq", values: "-f --skip-fields -s --skip-chars -w --check-chars"},
	{names: "tr", operands: 2},
	{names: "cut", values: "-b --bytes -c --characters -d --delimiter -f --fields --output-delimiter"},
	{names: "paste", values: "-d --delimiters"},
	{names: "fold fmt", values: "-w --width -g --goal -p --prefix"},
	{names: "column", values: "-s --separator -o --output-separator -c --output-width -N --table-columns -R --table-right -H --table-hide -l --table-columns-limit -E --table-noextreme -T --table-truncate -W --table-wrap -n --table-name -O --table-order"},
	{names: "shuf", values: "-n --head-count -o --output --random-source", early: "-i --input-range -e --echo"},
	{names: "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum", early: "-c --check"},
	{names: "cksum", values: "-a --algorithm -l --length", early: "-c --check"},
	{names: "base64 base32", values: "-w --wrap", early: "-d --decode"},
	{names: "od hexdump", values: "-A --address-radix -t --format -j --skip-bytes -w --width -e -f -s", early: "-N --read-bytes -n"},
	{names: "iconv", values: "-f --from-code -t --to-code -o --output"},
	{names: "gzip bzip2 xz zstd pigz", values: "-S --suffix -T --threads -p", early: "-d --decompress --uncompress -t --test -l --list"},
	{
		names: "grep egrep fgrep zgrep", operands: 1, script: "-e --regexp -f --file",
		values: "-A --after-context -B --before-context -C --context -D --devices -d --directories --include --exclude --exclude-dir --exclude-from --label --binary-files",
		early:  "-q --quiet --silent -m --max-count -l --files-with-matches -L --files-without-match -r -R --recursive --dereference-recursive",
	},
	{
		names: "rg", operands: 1, script: "-e --regexp -f --file",
		values: "-A --after-context -B --before-context -C --context -E --encoding -g --glob --iglob -j --threads -M --max-columns -r --replace --sort --sortr -t --type -T --type-not --color --colors",
		early:  "-q --quiet -m --max-count -l --files-with-matches --files-without-match --files --type-list",
	},
	{
		names: "sed", operands: 1, script: "-e --expression", values: "-l --line-length",
		early: "-f --file -i --in-place", stops: "q Q",
	},
	{
		names: "awk gawk mawk nawk", operands: 1, values: "-F --field-separator -v --assign",
		early: "-f --file -i --include -E --exec -e --source", stops: "exit nextfile",
	},
	{
		names: "jq", operands: 1, values: "--indent",
		early: "-n --null-input -f --from-file --arg --argjson --slurpfile --rawfile --args --jsonargs --stream-errors", stops: "halt",
	},
}

// ReadsAll reports whether the stage reads all of its standard input before it ends with
// status 0. argv is the stage's command: shell.Stage.Argv, without programs that run
// another one (sudo, nice). It returns false if it is not certain.
func ReadsAll(s shell.Stage, argv []shell.Word) bool {
	if s.Input || len(argv) == 0 || !argv[0].Literal {
		return false
	}
	name := argv[0].Text[strings.LastIndexByte(argv[0].Text, '/')+1:]
	for i := range readers {
		if contains(readers[i].names, name) {
			return readers[i].readsAll(argv[1:])
		}
	}
	return false
}

func (r *reader) readsAll(args []shell.Word) bool {
	operands, stdin := 0, false
	operand := func(w shell.Word) bool {
		operands++
		stdin = stdin || w.Text == "-" && operands > r.operands
		return operands != 1 || r.operands != 1 || r.goesOn(w)
	}
	for i := 0; i < len(args); i++ {
		w := args[i]
		if !w.Literal && (!w.Single || strings.HasPrefix(w.Text, "-")) {
			return false // it may be several words, or another option
		}
		if w.Text == "--" && w.Literal {
			for _, rest := range args[i+1:] {
				if !rest.Single || !operand(rest) {
					return false
				}
			}
			break
		}
		if len(w.Text) < 2 || w.Text[0] != '-' {
			if !operand(w) {
				return false
			}
			continue
		}
		name, attached := r.option(w.Text)
		switch {
		case contains(r.early, name):
			return false
		case contains(r.script, name):
			operands = max(operands, r.operands)
			if attached == "" && i+1 < len(args) {
				i++
				attached = args[i].Text
			}
			if r.stops != "" && !r.goesOn(shell.Word{Text: attached, Literal: true}) {
				return false
			}
		case contains(r.values, name) && attached == "":
			i++
		}
	}
	return r.operands < 0 || operands <= r.operands || stdin
}

// goesOn reports whether a script holds none of the words that end it.
func (r *reader) goesOn(w shell.Word) bool {
	if r.stops == "" {
		return true
	}
	if !w.Literal {
		return false
	}
	for stop := range strings.FieldsSeq(r.stops) {
		if strings.Contains(w.Text, stop) {
			return false
		}
	}
	return true
}

// option splits an argument into the option that matters in it and its attached
// value: of a cluster of letters, the first that takes a value or stops the
// reading. A long option may be shortened.
func (r *reader) option(arg string) (name, attached string) {
	if strings.HasPrefix(arg, "--") {
		name, attached, _ = strings.Cut(arg, "=")
		for known := range strings.FieldsSeq(r.early + " " + r.script + " " + r.values) {
			if strings.HasPrefix(known, name) {
				return known, attached
			}
		}
		return name, attached
	}
	for i := 1; i < len(arg); i++ {
		letter := "-" + arg[i:i+1]
		if contains(r.early, letter) || contains(r.script, letter) || contains(r.values, letter) {
			return letter, arg[i+1:]
		}
	}
	return arg, ""
}

// contains reports whether word is one of the words in list.
func contains(list, word string) bool {
	for known := range strings.FieldsSeq(list) {
		if known == word {
			return true
		}
	}
	return false
}

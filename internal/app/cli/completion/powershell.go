package completion

import (
	"fmt"
	"strings"

	"github.com/envwrap/envwrap/internal/app/cli"
)

// powershellCompletion makes the script for PowerShell 5.1 and later.
func powershellCompletion(list []cli.Node) string {
	var nodesTable, values strings.Builder
	seen := map[string]bool{}
	for _, n := range list {
		fmt.Fprintf(&nodesTable, "        '%s' = @(\n", n.Path)
		for _, v := range n.Verbs {
			nodesTable.WriteString(powershellPair(v.Name, v.Summary))
		}
		for _, word := range n.Words {
			nodesTable.WriteString(powershellPair(word, word))
		}
		for _, o := range n.Options {
			nodesTable.WriteString(powershellPair("--"+o.Name, o.Help))
			for _, name := range o.Spellings() {
				if o.Value != "" && !seen[name] {
					seen[name] = true
					fmt.Fprintf(&values, "    $values['%s'] = @(%s)\n", name, powershellList(o.Words()))
				}
			}
		}
		nodesTable.WriteString("        )\n")
	}
	return strings.NewReplacer(
		"@NODES@", nodesTable.String(),
		"@VALUES@", values.String(),
		"@SWITCHES@", powershellList(switches(list)),
	).Replace(powershellScript)
}

// powershellPair returns an element of a list of pairs.
func powershellPair(word, text string) string {
	return fmt.Sprintf("            , @(%s, %s)\n", powershellQuote(word), powershellQuote(text))
}

func powershellList(words []string) string {
	var list []string
	for _, w := range words {
		list = append(list, powershellQuote(w))
	}
	return strings.Join(list, ", ")
}

func powershellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

const powershellScript = `# PowerShell completion for envwrap, made by "envwrap completion powershell".

Register-ArgumentCompleter -Native -CommandName envwrap -ScriptBlock {
    param($word, $ast, $position)
    $nodes = @{
@NODES@    }
    # A literal @{} knows no upper case, and -c is not -C.
    $values = New-Object System.Collections.Hashtable ([System.StringComparer]::Ordinal)
@VALUES@    $switches = @(@SWITCHES@)
    $words = @($ast.CommandElements |
        Where-Object { $_.Extent.EndOffset -lt $position } |
        Select-Object -Skip 1 | ForEach-Object { $_.Extent.Text })
    $dash = [array]::IndexOf($words, '--')
    if ($dash -ge 0) {
        if ($dash -eq $words.Count - 1) {
            return [System.Management.Automation.CompletionCompleters]::CompleteCommand($word)
        }
        return [System.Management.Automation.CompletionCompleters]::CompleteFilename($word)
    }
    $verb = ''
    $skip = $false
    foreach ($w in $words) {
        if ($skip) { $skip = $false; continue }
        if ($switches -ccontains "${verb}:$w") { continue }
        if ($values.ContainsKey($w)) { $skip = $true; continue }
        $longer = "$verb $w".Trim()
        if ($nodes.ContainsKey($longer)) { $verb = $longer }
    }
    if ($skip) {
        $known = $values[$words[-1]]
        if ($known.Count -eq 0) {
            return [System.Management.Automation.CompletionCompleters]::CompleteFilename($word)
        }
        return $known | Where-Object { $_ -like "$word*" } | ForEach-Object {
            [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
        }
    }
    $nodes[$verb] | Where-Object { $_[0] -like "$word*" } | ForEach-Object {
        [System.Management.Automation.CompletionResult]::new($_[0], $_[0], 'ParameterName', $_[1])
    }
}
`

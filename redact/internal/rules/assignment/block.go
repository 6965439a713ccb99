package assignment

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/classify"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// maxBlock is how many lines of a block are searched, maxInline how many bytes of a block
// on the line of its name.
const (
	maxBlock  = 10
	maxInline = 256
)

// noteBlock notes that a block may begin after a name of strength st, and searches one
// that ends on the same line. The name ends at end, and i follows its operator.
func noteBlock(v *match.View, st names.Strength, end, i int, op syntax.Operator) {
	switch {
	case st < names.Strong:
		return
	case op == syntax.OpColon, op == syntax.OpAssign:
	case op == syntax.OpNone:
		i = v.SkipSpaces(v.SkipClosing(end))
	default:
		return
	}
	rest := syntax.TrimRight(v.Text[i:v.Hi])
	switch {
	case len(rest) == 0 && op != syntax.OpColon, len(rest) > 0 && rest[0] != '{', v.CutLeft || v.CutRight:
		return
	case len(rest) <= 1:
		if n := v.Indent(); n < maxBlockIndent {
			v.Next.Block = match.Block{Strength: st, Indent: uint8(n), Lines: maxBlock}
		}
		return
	}
	end = i + min(len(rest), maxInline)
	if n := bytes.IndexByte(v.Text[i:end], '}'); n > 0 {
		end = i + n
	}
	for j := i + 1; j < end; j++ {
		if !ascii.Is(v.Text[j-1], ascii.Word) {
			blockMember(v, st, j)
			j += ascii.Run(v.Text[j:end], ascii.Word)
		}
	}
}

// maxBlockIndent is the greatest indentation of a block's name.
const maxBlockIndent = 200

// NoteChecksums notes that the lines below have the checksums of packages.
func NoteChecksums(v *match.View, _ int) { v.Next.Checksums = !v.CutRight }

// FindInBlock marks the value of b if it is on the line, and goes on with b on the next.
func FindInBlock(v *match.View, b match.Block) {
	i := v.Margin()
	if i < v.Hi && v.Indent() <= int(b.Indent) {
		return
	}
	if b.Lines--; b.Lines > 0 && v.Next.Block.Lines == 0 {
		v.Next.Block = b
	}
	if i < v.Hi && syntax.IsQuote(v.Text[i]) {
		i++
	}
	blockMember(v, b.Strength, i)
}

// blockMember marks the value of the member of a block at i, if the member is one for the
// value and the value is a secret.
func blockMember(v *match.View, st names.Strength, i int) {
	n, key := ascii.Run(v.Text[i:v.Hi], ascii.Word), false
	var buf [16]byte
	switch string(ascii.AppendLower(buf[:0], v.Text[i:i+n])) {
	case "value", "default", "defaultvalue", "default_value", "result":
	case "key":
		key = true
	default:
		return
	}
	k := v.SkipSpaces(v.SkipClosing(i + n))
	if k >= v.Hi || v.Text[k] != ':' && v.Text[k] != '=' {
		return
	}
	if k++; v.Text[k-1] == '=' && k < v.Hi && v.Text[k] == '>' {
		k++
	}
	f := classify.Field{Name: syntax.Name{Line: &v.Line, Start: i, End: i + n}, Strength: st, Op: syntax.OpMember}
	f.Value, f.Quote = v.Value(v.SkipSpaces(k))
	if b := v.Text[f.Value.Start:f.Value.End]; (!key || len(b) == hexOfCipher && ascii.Run(b, ascii.HexDigit) == len(b)) && f.Secret() {
		v.Mark(&f)
	}
}

// NoteCrypt notes that the next line may have the key of Magento's settings.
func NoteCrypt(v *match.View, _ int) {
	if n := v.Indent(); n < maxBlockIndent && !v.CutRight {
		v.Next.Block = match.Block{Strength: names.Strong, Indent: uint8(n), Lines: 1}
	}
}

// FindRandomPassword marks the result of Terraform's random_password at pos, by its
// address, or notes that it is in the resource's block.
func FindRandomPassword(v *match.View, pos int) {
	i := pos + len("random_password")
	if i += v.Run(i, ascii.URLSafe|ascii.Dot); bytes.HasSuffix(v.Text[pos:i], []byte(".result")) {
		blockMember(v, names.Password, i-len("result"))
		return
	}
	if n := bytes.Index(v.Text[i:min(v.Hi, i+maxState)], []byte(`"result"`)); n >= 0 && bytes.HasPrefix(v.Text[i:], []byte(`",`)) {
		blockMember(v, names.Password, i+n+1)
		return
	}
	if rest := syntax.TrimRight(v.Text[i:v.Hi]); string(rest) == `",` && !v.CutLeft && !v.CutRight && v.Indent() > 0 && v.Indent() < maxBlockIndent {
		v.Next.Block = match.Block{Strength: names.Password, Indent: uint8(v.Indent() - 1), Lines: 3 * maxBlock} // of a state
	} else if len(rest) > 0 && rest[len(rest)-1] == '{' && !v.CutLeft && !v.CutRight && v.Indent() < maxBlockIndent {
		v.Next.Block = match.Block{Strength: names.Password, Indent: uint8(v.Indent()), Lines: 2 * maxBlock}
	}
}

// maxState is the most bytes between the type of a resource and its result in the state of
// Terraform on one line.
const maxState = 1 << 10

// maxAzureKey is how many lines after the name of a key its value may be.
const maxAzureKey = 3

// FindAzureKey marks the value of a key, in Azure's list of the keys of an account, on the
// line, or notes that it is on one of the next; the key's name is at pos.
func FindAzureKey(v *match.View, pos int) {
	end := min(v.Hi, pos+maxInline)
	if n := bytes.Index(v.Text[pos:end], []byte(`"value"`)); n >= 0 {
		blockMember(v, names.Strong, pos+n+1)
		return
	}
	if n := v.Indent(); n > 0 && n < maxBlockIndent && !v.CutLeft && !v.CutRight {
		st := names.Strong
		if v.Text[pos] == '.' {
			st = names.Password // of a vault
		}
		v.Next.Block = match.Block{Strength: st, Indent: uint8(n - 1), Lines: maxAzureKey}
	}
}

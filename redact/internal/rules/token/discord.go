package token

import (
	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
)

// DiscordStarts are the beginnings of tokens of bots: a token begins with the number of
// the bot in base64 (https://discord.com/developers/docs/reference#authentication), and a
// number with two digits.
var DiscordStarts = [...]string{
	"MTA", "MTE", "MTI", "MTM", "MTQ", "MTU", "MTY", "MTc", "MTg", "MTk",
	"MjA", "MjE", "MjI", "MjM", "MjQ", "MjU", "MjY", "Mjc", "Mjg", "Mjk",
	"MzA", "MzE", "MzI", "MzM", "MzQ", "MzU", "MzY", "Mzc", "Mzg", "Mzk",
	"NDA", "NDE", "NDI", "NDM", "NDQ", "NDU", "NDY", "NDc", "NDg", "NDk",
	"NTA", "NTE", "NTI", "NTM", "NTQ", "NTU", "NTY", "NTc", "NTg", "NTk",
	"NjA", "NjE", "NjI", "NjM", "NjQ", "NjU", "NjY", "Njc", "Njg", "Njk",
	"NzA", "NzE", "NzI", "NzM", "NzQ", "NzU", "NzY", "Nzc", "Nzg", "Nzk",
	"ODA", "ODE", "ODI", "ODM", "ODQ", "ODU", "ODY", "ODc", "ODg", "ODk",
	"OTA", "OTE", "OTI", "OTM", "OTQ", "OTU", "OTY", "OTc", "OTg", "OTk",
}

// discordParts are the bounds of the lengths of the three parts of a token.
var discordParts = [3][2]int{{24, 28}, {6, 6}, {27, 38}}

// QuickDiscord reports whether the first part of a token may be at b[pos:].
func QuickDiscord(b []byte, pos int) bool {
	if withinWord(b, pos) || len(b)-pos < 59 || ascii.Run(b[pos:pos+24], ascii.Alnum) < 24 {
		return false
	}
	n := 24 + ascii.Run(b[pos+24:pos+29], ascii.Alnum)
	return b[pos+n] == '.'
}

// FindDiscord marks the token of a bot at pos.
func FindDiscord(v *match.View, pos int) {
	i := pos
	for k, p := range discordParts {
		n := ascii.Run(v.Text[i:min(v.Hi, i+64)], ascii.URLSafe)
		if n < p[0] || n > p[1] || k < 2 && (i+n >= v.Hi || v.Text[i+n] != '.') {
			return
		}
		i += n + 1
	}
	if v.Boundary(pos) {
		v.Add(pos, i-1, match.RuleDiscord)
	}
}

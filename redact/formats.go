package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/value"
)

const ruleWebhook = "webhook-url"

// A webhook is an address that is itself a secret: who has it can post.
type webhook struct {
	literal string // of its host and path
	after   int    // the least number of bytes that follow
	doc     string
}

var webhooks = []webhook{
	{"hooks.slack.com/services/", 20, "https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks"},
	{"hooks.slack.com/workflows/", 20, ""},
	{"hooks.slack.com/triggers/", 20, ""},
	{"hooks.slack-gov.com/services/", 20, ""},
	{"discord.com/api/webhooks/", 30, "https://discord.com/developers/docs/resources/webhook"},
	{"discordapp.com/api/webhooks/", 30, ""},
	{".webhook.office.com/webhookb2/", 30, "https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/what-are-webhooks-and-connectors"},
	{"outlook.office.com/webhook/", 30, ""},
	{"outlook.office365.com/webhook/", 30, ""},
	{"hooks.zapier.com/hooks/catch/", 8, "https://help.zapier.com/"},
	{"hook.make.com/", 16, "https://www.make.com/en/help"},
	{"chat.googleapis.com/v1/spaces/", 30, "https://developers.google.com/workspace/chat/quickstart/webhooks"},
	{"open.feishu.cn/open-apis/bot/v2/hook/", 20, "https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot"},
	{"open.larksuite.com/open-apis/bot/v2/hook/", 20, ""},
	{"oapi.dingtalk.com/robot/send?access_token=", 20, "https://open.dingtalk.com/document/"},
	{"qyapi.weixin.qq.com/cgi-bin/webhook/send?key=", 20, "https://developer.work.weixin.qq.com/document/"},
	{"maker.ifttt.com/trigger/", 20, "https://ifttt.com/maker_webhooks"},
	{"logic.azure.com/workflows/", 60, "https://learn.microsoft.com/en-us/azure/logic-apps/"},
	{"logic.azure.com:443/workflows/", 60, ""},
	{"api.telegram.org/bot", 30, "https://core.telegram.org/bots/api"},
	{".tines.com/webhook/", 20, "https://www.tines.com/docs/"},
	{".m.pipedream.net/", 8, "https://pipedream.com/docs"},
	{"hooks.airtable.com/workflows/", 20, "https://support.airtable.com/"},
	{"webhooks.mongodb-stitch.com/", 20, ""},
	{"api.softlayer.com/soap/", 67, "https://sldn.softlayer.com/article/soap/"},
	{"api.powerplatform.com:443/powerautomate/", 60, "https://learn.microsoft.com/en-us/power-automate/"},
	{"api.powerplatform.com/powerautomate/", 60, ""},
	{".app.n8n.cloud/webhook/", 20, "https://docs.n8n.io/integrations/builtin/core-nodes/n8n-nodes-base.webhook/"},
	{"connect.pabbly.com/workflow/sendwebhookdata/", 20, "https://forum.pabbly.com/"},
	{"/hooks/", 26, "https://developers.mattermost.com/integrate/webhooks/incoming/"},
}

// find marks the whole address around the literal at pos.
func (w *webhook) find(v *view, pos int) {
	n := v.Run(pos+len(w.literal), ascii.Token|ascii.Colon)
	if n < w.after {
		return
	}
	end := pos + len(w.literal) + n
	for end > pos && ascii.Is(v.Text[end-1], ascii.Dot) {
		end--
	}
	if w.literal == "/hooks/" && ascii.Run(v.Text[pos+len(w.literal):min(end, pos+len(w.literal)+27)], ascii.Lower|ascii.Digit) != 26 {
		return
	}
	if b := v.Text[pos+len(w.literal) : end]; placeholderURL(b[:min(len(b), value.MaxExamined)]) {
		return
	}
	start := pos - ascii.RunBack(v.Text[max(v.Lo, pos-80):pos], ascii.URLSafe|ascii.Dot|ascii.Plus|ascii.Colon)
	v.add(start, end, ruleWebhook)
}

// placeholderURL reports whether b is a path with nothing secret in it.
func placeholderURL(b []byte) bool {
	t := value.TraitsOf(b)
	return t.Digits == 0 && value.Wordy(b) || t.Distinct < 8 || value.Sample(b)
}

const ruleDiscord = "discord-token"

// discordStarts are how tokens of bots begin: they are the number of the bot in
// base64 (https://discord.com/developers/docs/reference#authentication), and a
// number begins with two digits.
var discordStarts = [...]string{
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

// quickDiscord reports whether the first part of a token may be at b[pos:].
func quickDiscord(b []byte, pos int) bool {
	if pos > 0 && ascii.Is(b[pos-1], ascii.Word) || len(b)-pos < 59 || ascii.Run(b[pos:pos+24], ascii.Alnum) < 24 {
		return false
	}
	n := 24 + ascii.Run(b[pos+24:pos+29], ascii.Alnum)
	return b[pos+n] == '.'
}

// discordToken finds a token of a bot, at pos.
func discordToken(v *view, pos int) {
	i := pos
	for k, p := range discordParts {
		n := ascii.Run(v.Text[i:min(v.Hi, i+64)], ascii.URLSafe)
		if n < p[0] || n > p[1] || k < 2 && (i+n >= v.Hi || v.Text[i+n] != '.') {
			return
		}
		i += n + 1
	}
	if v.boundary(pos) {
		v.add(pos, i-1, ruleDiscord)
	}
}

const (
	ruleFacebook = "facebook-token"
	nearService  = 256 // how far after the name of a service its token may begin
)

// facebookToken finds the access token of an app, which is its id and its
// secret with a bar between, on a line that names the service at pos
// (https://developers.facebook.com/docs/facebook-login/guides/access-tokens).
func facebookToken(v *view, pos int) {
	i, end := max(pos, v.appTo), min(v.Hi, pos+nearService)
	for i < end {
		if !ascii.Is(v.Text[i], ascii.Digit) {
			i++
			continue
		}
		id := ascii.Run(v.Text[i:v.Hi], ascii.Digit)
		if sep := barLen(v.Text[i+id : v.Hi]); id >= 13 && id <= 17 && sep > 0 {
			from := i + id + sep
			if n := v.Run(from, ascii.URLSafe); n >= 27 && n <= 40 && value.TraitsOf(v.Text[from:from+n]).Random(20) {
				v.add(i, from+n, ruleFacebook)
			}
		}
		i += id
	}
	v.appTo = max(v.appTo, i)
}

// barLen returns the length of the bar at the start of b, also as URLs have it.
func barLen(b []byte) int {
	switch {
	case len(b) > 0 && b[0] == '|':
		return 1
	case bytes.HasPrefix(b, []byte("%7C")), bytes.HasPrefix(b, []byte("%7c")):
		return 3
	}
	return 0
}

const ruleRPC = "rpc-endpoint"

// rpcPath marks the key that ends the address of a node of a blockchain, whose host
// has the word at pos in it: https://mainnet.example.com/v1/KEY. What comes before the
// key is a version or the name of a protocol; the hash of a transaction has 0x or the
// word for it there.
func rpcPath(v *view, pos int) {
	i := pos + ascii.Run(v.Text[pos:v.Hi], ascii.Plus)
	i += ascii.Run(v.Text[i:min(v.Hi, i+names.MaxAddress)], ascii.URLSafe|ascii.Dot|ascii.Colon)
	for range maxSegments {
		if i >= v.Hi || v.Text[i] != '/' {
			return
		}
		i++
		n := v.Run(i, ascii.URLSafe|ascii.Dot)
		if n >= minRPCKey && n <= 64 && ascii.Run(v.Text[i:i+n], ascii.HexDigit) == n && value.TraitsOf(v.Text[i:i+n]).Random(minRPCKey) {
			v.add(i, i+n, ruleRPC)
			return
		}
		switch w := string(v.Text[i : i+min(n, 8)]); w {
		case "v1", "v2", "v3", "rpc", "ws", "http", "https", "json-rpc", "api", "eth":
		default:
			return
		}
		i += n
	}
}

const (
	maxSegments = 4  // of a path, up to the key
	minRPCKey   = 24 // bytes
)

const ruleJenkins = "jenkins-secret"

// jenkinsSecret marks what Jenkins has encrypted, which begins at pos: all that is
// between the braces around it, as in <password>{AQAAABAAA...}</password>, or, without
// braces, the base64 alone (https://www.jenkins.io/doc/developer/security/secrets/).
func jenkinsSecret(v *view, pos int) {
	start := pos - ascii.RunBack(v.Text[max(v.Lo, pos-maxBefore):pos], ascii.URLSafe|ascii.Dot|ascii.Blank)
	if start > v.Lo && v.Text[start-1] == '{' {
		end := pos
		for end < v.Hi && end-pos < maxServiceValue && ascii.Is(v.Text[end], ascii.Token|ascii.Blank|ascii.Colon) {
			end++
		}
		if end < v.Hi && v.Text[end] == '}' && end-pos >= minBraced {
			v.add(start, end, ruleJenkins)
			return
		}
	}
	if n := v.Run(pos, ascii.Base64|ascii.Equals); n >= minJenkins && (pos == v.Lo || !ascii.Is(v.Text[pos-1], ascii.Base64)) && v.boundary(pos) {
		v.add(pos, pos+n, ruleJenkins)
	}
}

// encryptedElement marks what Maven and Jenkins have encrypted: all of the text of an
// element, in base64 and in the braces that open at pos, or after the tag there
// (https://maven.apache.org/guides/mini/guide-encryption.html).
func encryptedElement(v *view, pos int) {
	start := pos + bytes.IndexByte(v.Text[pos:v.Hi], '{') + 1
	n := v.Run(start, ascii.Base64|ascii.Equals)
	if end := start + n; n >= minBraced && n%4 == 0 && end < v.Hi && v.Text[end] == '}' && value.TraitsOf(v.Text[start:end]).Random(minBraced) {
		v.add(start, end, ruleJenkins)
	}
}

// minBraced is the least length of what is in braces.
const minBraced = 20

// minJenkins is the least length of what Jenkins writes, in base64: a magic byte, two
// lengths, an initial vector and one block.
const minJenkins = 49

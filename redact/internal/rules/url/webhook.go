package url

import (
	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// A webhook is an address that is itself a secret: whoever has it can post.
type webhook struct {
	Literal string // of its host and path
	After   int    // the least number of bytes that follow
	doc     string
}

var Webhooks = []webhook{
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
	{"hooks.slack.com%2Fservices%2F", 24, ""},
	{"hooks.slack.com%2fservices%2f", 24, ""},
	{"discord.com%2Fapi%2Fwebhooks%2F", 34, ""},
	{"discord.com%2fapi%2fwebhooks%2f", 34, ""},
	{"/hooks/", 26, "https://developers.mattermost.com/integrate/webhooks/incoming/"},
}

// Find marks the whole address around the literal at pos.
func (w *webhook) Find(v *match.View, pos int) {
	n := v.Run(pos+len(w.Literal), ascii.Token|ascii.Colon)
	if n < w.After {
		return
	}
	end := pos + len(w.Literal) + n
	end -= ascii.RunBack(v.Text[pos:end], ascii.Dot)
	if w.Literal == "/hooks/" && ascii.Run(v.Text[pos+len(w.Literal):min(end, pos+len(w.Literal)+27)], ascii.Lower|ascii.Digit) != 26 {
		return
	}
	if b := v.Text[pos+len(w.Literal) : end]; placeholderURL(b[:min(len(b), value.MaxExamined)]) {
		return
	}
	start := pos - ascii.RunBack(v.Text[max(v.Lo, pos-80):pos], ascii.URLSafe|ascii.Dot|ascii.Plus|ascii.Colon)
	if start > v.Lo && v.Text[start-1] == '%' {
		start = pos // digits of an escape
	}
	v.Add(start, end, match.RuleWebhook)
}

// placeholderURL reports whether b is a path without a secret.
func placeholderURL(b []byte) bool {
	t := value.TraitsOf(b)
	return t.Digits == 0 && value.Wordy(b) || t.Distinct < 8 || value.Sample(b)
}

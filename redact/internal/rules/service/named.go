package service

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// Named are services whose names are no words, and no part of one: a random value right
// after the name is a key of theirs, whatever its length. Those whose keys have one length
// are in Vendors.
var Named = [...]string{
	"accuweather", "airtable", "amadeus", "brandfetch", "calendarific", "clickup", "coinbase", "coinlayer", "currentsapi", "databox",
	"docparser", "docusign", "dynatrace", "easypost", "emailoctopus", "ethplorer", "eventbrite", "foursquare", "freshdesk", "geckoboard",
	"geocodify", "geocodio", "godaddy", "graphhopper", "gumroad", "holidayapi", "imagekit", "imagga", "infobip", "ipqualityscore",
	"jumpcloud", "klaviyo", "mailchimp", "mandrill", "mapbox", "meaningcloud", "moralis", "nutritionix", "nylas", "paystack",
	"pivotaltracker", "pixabay", "pubnub", "pushbullet", "scrapingant", "scrapingbee", "shutterstock", "smartsheet", "snipcart", "statuscake",
	"stormglass", "storyblok", "telnyx", "twelvedata", "ubidots", "uploadcare", "uptimerobot", "walkscore", "zapier", "zipcodebase",
}

const (
	minKey = 20  // length of a key: a shorter one may be a part of the name of a machine
	maxKey = 128 // longer values are data
)

// FindNamed marks the key after the name of a service at b[pos:i].
func FindNamed(v *match.View, pos, i int) {
	b := v.Text[:v.Hi]
	if pos > v.Lo && ascii.Is(b[pos-1], ascii.Alnum|ascii.Dot) {
		return
	}
	start := i
	for i < len(b) && i-start < maxSigns && (syntax.IsQuote(b[i]) || ascii.Is(b[i], ascii.Blank|ascii.Equals|ascii.Colon|ascii.Comma) || b[i] == '(' || b[i] == '|' || b[i] == '>') {
		i++
	}
	n := v.Run(i, ascii.URLSafe|ascii.Base64|ascii.Equals)
	if i == start || n < minKey || n > maxKey {
		return
	}
	t := value.TraitsOf(b[i : i+n])
	switch assigned := bytes.ContainsAny(b[start:i], `='"`); {
	case t.Digits < value.Several, t.Digits == t.Len, t.Slashes > 0, t.Placeholder(), !t.Random(minKey):
		return
	case t.Dashes > 0 && !(t.UUID() && assigned), t.Digest() && (t.Len == 40 || t.Len == 64) && !assigned:
		return
	case t.Changes*4 < t.Len, t.Lowers > 0 && t.Uppers > 0 && t.Changes*9 < t.Len*4 && value.Wordy(t.Bytes): // the name of a version
		return
	case t.Len == len("0x")+40 && bytes.HasPrefix(t.Bytes, []byte("0x")): // an account of Ethereum
		return
	}
	v.Add(i, i+n, match.RuleVendor)
}

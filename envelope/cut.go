package envelope

// A cut says how much of each kind of text an envelope has room for: bytes of
// excerpts, previews and inline content, characters of the rest. 0 is no limit.
type cut struct {
	excerpt int // head and tail of a stream in the store
	preview int // summary.preview
	tail    int // stderr_tail and its like
	argv    int // the whole command line
	text    int // each hint, warning, message; and each member without a field
	inline  int // content that could not go to the store
}

// The cuts, in the order in which they are tried. What an agent can get
// elsewhere goes first; what only the envelope knows goes last.
var cuts = [...]cut{
	{excerpt: 3 << 10},
	{excerpt: 2 << 10},
	{excerpt: 3 << 9},
	{excerpt: 1 << 10},
	{excerpt: 1 << 9, preview: 768},
	{excerpt: 1 << 8, preview: 512},
	{excerpt: 1 << 7, preview: 256, tail: 16 << 10},
	{excerpt: 1, preview: 1, tail: 4 << 10},
	{excerpt: 1, preview: 1, tail: 1 << 10},
	{excerpt: 1, preview: 1, tail: 500},
	{excerpt: 1, preview: 1, tail: 200},
	{excerpt: 1, preview: 1, tail: 200, argv: 2 << 10},
	{excerpt: 1, preview: 1, tail: 100, argv: 1 << 9},
	{excerpt: 1, preview: 1, tail: 100, argv: 1 << 8, text: 400},
	{excerpt: 1, preview: 1, tail: 100, argv: 1 << 8, text: 300, inline: 16 << 10},
	{excerpt: 1, preview: 1, tail: 100, argv: 1 << 8, text: 300, inline: 8 << 10},
	{excerpt: 1, preview: 1, tail: 100, argv: 1 << 7, text: 200, inline: 4 << 10},
	{excerpt: 1, preview: 1, tail: 50, argv: 1 << 6, text: 150, inline: 2 << 10},
	{excerpt: 1, preview: 1, tail: 1, argv: 1 << 6, text: 100, inline: 1 << 9},
	{excerpt: 1, preview: 1, tail: 1, argv: 32, text: 80, inline: 64},
}

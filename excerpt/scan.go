package excerpt

// facts holds the result of one pass over a line.
type facts struct {
	shape   uint32    // hash of the line up to numbers and digests; 0 where it has no letters
	kinds   [4]uint32 // hashes whose rarity is evidence, by novelty kind
	score   int       // how much the line's own words weigh, 0 to about 100
	why     int       // the same, for Writer.Best
	located bool      // names a file and a line of it
	ended   bool      // reports a failure that other lines explain
	cause   bool      // names the cause of what an earlier line reports
}

// Kinds of rarity: of a whole line, of its beginning, of its end, and of the words that
// name the failure.
const (
	rareShape = iota
	rareOpening
	rareClosing
	rareFailure
	rareKinds
)

// A scan is the state of a pass over one line.
type scan struct {
	facts
	dict *dictionary
	text []byte

	top, more  int // the heaviest word, and the others together
	topWhy     int // the heaviest reason, and a quarter of each other one
	whys       int // all reasons together
	mostWhy    int // the heaviest one
	numbers    int // the token before: noNumber, zeroNumber or someNumber
	denied     int // number of the word that the word before it negates
	denials    int
	passing    bool // the first or last word reports a success
	warned     bool
	labelled   bool // the line is labelled as a warning
	grave      bool // a word reports a failure even in a warning
	counted    bool // a number that is not zero counts failures
	ending     int  // weight of a report of a failure that other lines explain
	specific   bool // a word names the failure
	words      int
	failed     bool   // a word reports a failure without a cause
	matched    bool   // a word is evidence; the facts depend on which numbers are 0
	digits     bool   // they depend on other digits, too
	before     uint32 // hash of the word before
	failure    uint32 // hash of the words from the failure on
	failureFor int    // how many more words belong to it
}

const (
	noNumber = iota
	zeroNumber
	someNumber
)

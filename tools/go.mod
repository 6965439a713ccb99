// The developers' tools: nothing of them is in a release.
module github.com/envwrap/envwrap/tools

go 1.26.0

require (
	github.com/charithe/durationcheck v0.0.11
	github.com/curioswitch/go-reassign v0.3.0
	github.com/envwrap/envwrap v0.0.0
	github.com/gostaticanalysis/nilerr v0.1.2
	github.com/polyfloyd/go-errorlint v1.8.0
	golang.org/x/sys v0.49.0
	golang.org/x/tools v0.52.0
	honnef.co/go/tools v0.8.2
)

require (
	github.com/BurntSushi/toml v1.6.0 // indirect
	github.com/gostaticanalysis/comment v1.5.0 // indirect
	github.com/oklog/ulid/v2 v2.1.2 // indirect
	golang.org/x/exp/typeparams v0.0.0-20231108232855-2478ac86f678 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
)

replace github.com/envwrap/envwrap => ../

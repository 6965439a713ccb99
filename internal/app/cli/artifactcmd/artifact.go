// Package artifactcmd has the verbs that read and maintain the artifact store and its
// remote.
package artifactcmd

import (
	"github.com/envwrap/envwrap/internal/app/cli"
)

// Verb returns the group of verbs that read and maintain the store.
func Verb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name:    "artifact",
		Args:    "VERB",
		Summary: "read and manage stored output",
		Text: `Output that was too large for an envelope is kept in a store on this machine,
under the SHA-256 of its bytes. An ID is sha256: and 64 hexadecimal digits, or
the first 6 or more of them; last and last:stderr name the output of the
last run that stored something.`,
		Example: "envwrap artifact cat sha256:2cf24dba\nenvwrap artifact grep -i error 2cf24dba",
		Verbs: []cli.Row{
			{Name: "ls", Make: artifactLsVerb},
			{Name: "cat", Make: cli.WithRemoteFetch(artifactCatVerb)},
			{Name: "show", Make: cli.WithRemoteFetch(artifactShowVerb)},
			{Name: "head", Make: cli.WithRemoteFetch(artifactHeadVerb)},
			{Name: "tail", Make: cli.WithRemoteFetch(artifactTailVerb)},
			{Name: "grep", Make: cli.WithRemoteFetch(artifactGrepVerb)},
			{Name: "query", Make: cli.WithRemoteFetch(artifactQueryVerb)},
			{Name: "stat", Make: cli.WithRemoteFetch(artifactStatVerb)},
			{Name: "path", Make: cli.WithRemoteFetch(artifactPathVerb)},
			{Name: "put", Make: artifactPutVerb},
			{Name: "verify", Make: artifactVerifyVerb},
			{Name: "pin", Make: artifactPinVerb},
			{Name: "unpin", Make: artifactUnpinVerb},
			{Name: "rm", Make: artifactRmVerb},
			{Name: "gc", Make: artifactGcVerb},
			{Name: "du", Make: artifactDuVerb},
			{Name: "recover", Make: artifactRecoverVerb},
			{Name: "reindex", Make: artifactReindexVerb},
			{Name: "export", Make: cli.WithRemoteFetch(artifactExportVerb)},
			{Name: "import", Make: artifactImportVerb},
			{Name: "push", Make: artifactPushVerb},
			{Name: "pull", Make: artifactPullVerb},
			{Name: "doctor", Make: artifactDoctorVerb},
		},
		Hidden: []cli.Row{{Name: "late", Make: artifactLateVerb}},
		Run:    nil, // a second word is needed
	}
}

package cli

import "context"

// artifactVerb leads to the verbs that read and look after the store.
func artifactVerb(*World) *verb {
	return &verb{
		name:    "artifact",
		args:    "VERB",
		summary: "read and look after stored output",
		text: `Output that was too large for an envelope is kept in a store on this machine,
under the SHA-256 of its bytes. An ID is sha256: and 64 hexadecimal digits, or
the first 6 or more of them; last and last:stderr are those of the last run
that stored something.`,
		example: "envwrap artifact cat sha256:2cf24dba\nenvwrap artifact grep -i error 2cf24dba",
		verbs: []row{
			{"ls", artifactLsVerb},
			{"cat", fetching(artifactCatVerb)},
			{"show", fetching(artifactShowVerb)},
			{"head", fetching(artifactHeadVerb)},
			{"tail", fetching(artifactTailVerb)},
			{"grep", fetching(artifactGrepVerb)},
			{"query", fetching(artifactQueryVerb)},
			{"stat", artifactStatVerb},
			{"path", artifactPathVerb},
			{"put", artifactPutVerb},
			{"verify", artifactVerifyVerb},
			{"pin", artifactPinVerb},
			{"unpin", artifactUnpinVerb},
			{"rm", artifactRmVerb},
			{"gc", artifactGcVerb},
			{"du", artifactDuVerb},
			{"recover", artifactRecoverVerb},
			{"reindex", artifactReindexVerb},
			{"export", artifactExportVerb},
			{"import", artifactImportVerb},
			{"push", artifactPushVerb},
			{"pull", artifactPullVerb},
			{"doctor", artifactDoctorVerb},
		},
		run: nil, // a second word is needed
	}
}

// eachArtifact makes a verb's action from what it does with one artifact's
// id. It goes on behind a failure and returns the first one.
func eachArtifact(store *string, do func(ctx context.Context, c *call, a *archive, id string) error) func(context.Context, *call) error {
	return func(ctx context.Context, c *call) error {
		ids := c.args()
		if len(ids) == 0 {
			return usagef("an ID is missing")
		}
		a, err := c.openArchive(*store)
		if err != nil {
			return err
		}
		defer a.Close()
		var first error
		for _, id := range ids {
			err := do(ctx, c, a, id)
			if err != nil && first != nil {
				c.complain(err)
			} else if err != nil {
				first = err
			}
		}
		return asUsage(first)
	}
}

// Package enginejob follows a job that an engine holds (package engine: Slurm, Kubernetes and
// the like), from its submit to the record of its end.
//
// Nothing of envwrap lives on this machine meanwhile: each verb about jobs makes a [Job] of the
// record, looks, and forgets it. There are three sources for what became of a job, in this
// order:
//
//  1. The envelope that an envwrap at the far side has left in the job's directory (package job,
//     exchange.go). It is believed.
//  2. The exit status and the output of a script that ran without envwrap there. The output is
//     masked here, and the record has a warning.
//  3. The engine's word. It decides only if it says that the job is over and for ten seconds
//     neither of the others has come: a shared file system shows a new file late.
//
// An engine that shares no files with this machine keeps what a command prints; the files of 1
// and 2 are made of its log here. A group (--array) is one job, whose members are collected one
// by one.
//
// The engine is asked by commands of its own, each with a time limit ([AnswerMost],
// [SubmitMost]); those that do not answer are killed with all their children. An engine that
// cannot be asked is no end: that is said on stderr, and it is asked again. A cancellation takes
// at most four seconds, and is an error if the command may go on after it.
//
// What the commands print is masked before it is shown or stored. The methods of one Job may not
// be called from several goroutines.
package enginejob

import (
	"context"
	"errors"
	"fmt"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/job"
)

// Ask asks what became of a job that an engine holds, and records its end. The record that it
// returns is over, or says how far the job is. The result, if not nil, is the record of the run
// where that is not known: the configuration has no such runner any more, or no engine for it.
// inherit is the environment of the engine's commands.
func Ask(ctx context.Context, env *cli.Env, inherit []string, s *job.Store, rec *job.Record, q farend.Question) (*job.Record, *envelope.Result, error) {
	row, err := env.Runner(rec.Far.Runner)
	if err == nil && row.Engine == nil {
		err = errors.New("it has no engine now")
	}
	e := &Job{Env: env, Inherit: inherit, Store: s, Record: rec, Row: row, Mask: env.Mask()}
	if err != nil {
		e.Row = &cli.RunnerRow{Name: rec.Far.Runner}
		if over, now, endErr := e.concludeEnd(ctx); over || endErr != nil {
			return now, nil, endErr
		}
		lost := rec.Unsettled(env.Now(), farend.Unasked(rec, err))
		lost.MaskTexts(e.Mask)
		return rec, lost, nil
	}
	switch q {
	case farend.AskCancel:
		return e.cancel(ctx)
	case farend.AskEnd, farend.AskFollow:
		e.follow = q == farend.AskFollow
		err = e.await(ctx)
	default:
		err = e.look(ctx)
	}
	if e.fault != nil && !e.Record.State.Over() && ctx.Err() == nil {
		env.Complain(fmt.Errorf("runner %q cannot be asked: %w", row.Name, e.fault))
	}
	return e.Record, nil, err
}

/**
 * `pnpm log:witness`: cosigns the checkpoint of a log that has only grown since the last time.
 *
 * Exit codes: 0 cosigned; 1 refused; 2 wrong arguments; 3 something could not be reached.
 */
import { writeFileSync } from 'node:fs';
import { formatVerifierKey, NoteError } from '@agent-trust/transparency-log';
import { ArgumentsError } from '../arguments-error.ts';
import { keyOf, noteOf } from '../find-inputs.ts';
import { printable } from '../report/printable.ts';
import { tileStore } from '../tiles/tile-store.ts';
import { readWitnessArguments, type WitnessArguments, witnessUsage } from '../witness/witness-arguments.ts';
import { WitnessRefusal, witnessCheckpoint } from '../witness/witness-checkpoint.ts';
import { makeWitnessKey, readWitnessKey } from '../witness/witness-key.ts';
import { openWitnessState, type WitnessState } from '../witness/witness-state.ts';

const exitCode = { cosigned: 0, refused: 1, wrongArguments: 2, unreachable: 3 } as const;

const complain = (line: string): void => void process.stderr.write(`${printable(line)}\n`);

const witness = async (given: WitnessArguments, state: WitnessState): Promise<number> => {
  if (given.newKey) makeWitnessKey(given.keyFile);
  const signer = await readWitnessKey(given.keyFile, given.name);
  const logKey = keyOf(given.key);
  const note = await noteOf(`${given.registry}/log/checkpoint`);
  try {
    const { cosigned, size, fromSize } = await witnessCheckpoint({
      last: state.last,
      note,
      logKey,
      origin: given.origin,
      tiles: tileStore(`${given.registry}/log`),
      signer,
      nowSeconds: Math.floor(Date.now() / 1000),
    });
    // Before anybody sees the signature: a witness that forgot what it signed could sign a fork.
    state.keep(note);
    if (given.out === null) process.stdout.write(cosigned);
    else writeFileSync(given.out, cosigned);
    complain(
      `${state.last === null ? `First checkpoint seen: ${size} events` : `${fromSize} events, ${size} now, and the first ${fromSize} are the same`}. Cosigned as ${formatVerifierKey(signer.key)}.`,
    );
    return exitCode.cosigned;
  } catch (error) {
    if (!(error instanceof WitnessRefusal) && !(error instanceof NoteError)) throw error;
    const evidence = state.keepRefused(note, error instanceof WitnessRefusal);
    complain(
      `Not cosigned: ${error.message}. What was shown is kept in ${evidence}, what was signed before in ${given.state}.`,
    );
    return exitCode.refused;
  }
};

const run = async (): Promise<number> => {
  const given = readWitnessArguments(process.argv.slice(2));
  if (given === null) {
    process.stdout.write(`${witnessUsage}\n`);
    return exitCode.cosigned;
  }
  const state = openWitnessState(given.state);
  try {
    return await witness(given, state);
  } finally {
    state.release();
  }
};

try {
  process.exitCode = await run();
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
  if (error instanceof ArgumentsError) complain('See pnpm log:witness --help.');
  process.exitCode = error instanceof ArgumentsError ? exitCode.wrongArguments : exitCode.unreachable;
}

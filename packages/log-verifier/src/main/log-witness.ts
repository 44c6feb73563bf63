/** `pnpm log:witness`: cosigns the checkpoint of a log that has only grown since the last time. */
import { writeFileSync } from 'node:fs';
import { complain, runCommand } from '@agent-trust/command-line';
import { formatVerifierKey, NoteError } from '@agent-trust/transparency-log';
import { keyOf, noteOf } from '../find-inputs.ts';
import { tileStore } from '../tiles/tile-store.ts';
import { witnessOptions, type WitnessOptions, witnessOptionsOf, witnessUsage } from '../witness/witness-arguments.ts';
import { WitnessRefusal, witnessCheckpoint } from '../witness/witness-checkpoint.ts';
import { makeWitnessKey, readWitnessKey } from '../witness/witness-key.ts';
import { openWitnessState, type WitnessState } from '../witness/witness-state.ts';

const exitCode = { cosigned: 0, refused: 1, unreachable: 3 } as const;

const witness = async (given: WitnessOptions, state: WitnessState): Promise<number> => {
  const { 'key-file': keyFile, 'new-key': isNewKey } = given;
  if (isNewKey === true) makeWitnessKey(keyFile);
  const signer = await readWitnessKey(keyFile, given.name);
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
    if (given.out === undefined) process.stdout.write(cosigned);
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

await runCommand({
  usage: witnessUsage,
  options: witnessOptions,
  exitCodeOf: () => exitCode.unreachable,
  run: async (values) => {
    const given = witnessOptionsOf(values);
    const state = openWitnessState(given.state);
    try {
      return await witness(given, state);
    } finally {
      state.release();
    }
  },
});

/** `npm run log:witness`: cosigns the checkpoint of a log that has only grown since the last time. */
import { writeFileSync } from 'node:fs';
import { ArgumentsError, complain, type OptionValues, runCommand } from '@agent-trust/command-line';
import { formatVerifierKey, NoteError } from '@agent-trust/transparency-log';
import { keyOf, noteOf } from '../read-inputs.ts';
import { tileStore } from '../tiles/tile-store.ts';
import { witnessCheckpoint, WitnessRefusal } from '../witness/witness-checkpoint.ts';
import { makeWitnessKey, openWitnessState, readWitnessKey, type WitnessState } from '../witness/witness-files.ts';

const witnessOptions = {
  registry: { type: 'string' },
  key: { type: 'string', multiple: true },
  origin: { type: 'string' },
  name: { type: 'string' },
  'key-file': { type: 'string' },
  'new-key': { type: 'boolean' },
  state: { type: 'string' },
  out: { type: 'string' },
} as const;

const witnessUsage = `Usage: npm run log:witness -- --registry <url> --key <key|file> --name <name> --key-file <file> --state <file> [--out <file>]

Checks that a log only grows: fetches its checkpoint, proves by its tiles that it begins with the last signed one, and writes it with a
cosignature (C2SP cosignature/v1). A log that was rolled back or forked is refused, and the evidence kept. Run it regularly.

  --registry <url>    whose log it is: <url>/log/checkpoint and <url>/log/tile/…
  --key <key|file>    the log's verifier key, <name>+<id>+<base64>, from a way that you trust; several times if the log's key was
                      replaced: a checkpoint needs a signature by one
  --origin <name>     the log's name in the checkpoint, where it is not the key's
  --name <name>       the witness's own name, such as witness.example/w1
  --key-file <file>   its private key, Ed25519 as PKCS #8 in PEM, readable by its owner alone; --new-key makes it
  --state <file>      where it keeps the last checkpoint that it signed
  --out <file>        where the cosigned checkpoint goes; without it, to standard output

Exit codes: 0 cosigned; 1 refused, the log is not the one that was signed before or not the key's; 2 wrong arguments; 3 something could not be reached.`;

const needed = ['registry', 'key', 'name', 'key-file', 'state'] as const;
type Given = OptionValues<typeof witnessOptions>;
type WitnessOptions = Given & Required<Pick<Given, (typeof needed)[number]>>;

/** @throws ArgumentsError */
const witnessOptionsOf = (given: Given): WitnessOptions => {
  if (needed.some((name) => given[name] === undefined))
    throw new ArgumentsError('--registry, --key, --name, --key-file and --state are all needed.');
  return { ...(given as WitnessOptions), registry: given.registry?.replace(/\/+$/u, '') ?? '' };
};

const exitCode = { cosigned: 0, refused: 1, unreachable: 3 } as const;

const witness = async (given: WitnessOptions, state: WitnessState): Promise<number> => {
  const { 'key-file': keyFile, 'new-key': isNewKey } = given;
  if (isNewKey === true) makeWitnessKey(keyFile);
  const signer = await readWitnessKey(keyFile, given.name);
  const [logKey, ...otherLogKeys] = given.key.map((one) => keyOf(one));
  if (logKey === undefined) throw new ArgumentsError('--key is missing.');
  const note = await noteOf(`${given.registry}/log/checkpoint`);
  try {
    const { cosigned, size, fromSize } = await witnessCheckpoint({
      last: state.last,
      note,
      logKey,
      otherLogKeys,
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

import { ArgumentsError, type OptionValues } from '@agent-trust/command-line';

export const witnessOptions = {
  registry: { type: 'string' },
  key: { type: 'string' },
  origin: { type: 'string' },
  name: { type: 'string' },
  'key-file': { type: 'string' },
  'new-key': { type: 'boolean' },
  state: { type: 'string' },
  out: { type: 'string' },
} as const;

export const witnessUsage = `Usage: pnpm log:witness --registry <url> --key <key|file> --name <name> --key-file <file> --state <file> [--out <file>]

Sees to it that a log only grows: fetches its checkpoint, proves by its tiles that it begins with the one that was signed last, and writes it
with a cosignature (C2SP cosignature/v1). A log that was rolled back or forked is refused, and the evidence kept. Run it again and again.

  --registry <url>    whose log it is: <url>/log/checkpoint and <url>/log/tile/…
  --key <key|file>    the log's verifier key, <name>+<id>+<base64>, from a way that you trust
  --origin <name>     the log's name in the checkpoint, where it is not the key's
  --name <name>       the witness's own name, such as witness.example/w1
  --key-file <file>   its private key, Ed25519 as PKCS #8 in PEM, readable by its owner alone; --new-key makes it
  --state <file>      where it keeps the last checkpoint that it signed
  --out <file>        where the cosigned checkpoint goes; without it, to standard output

Exit codes: 0 cosigned; 1 refused, the log is not the one that was signed before or not the key's; 2 wrong arguments; 3 something could not be reached.`;

const needed = ['registry', 'key', 'name', 'key-file', 'state'] as const;
type Given = OptionValues<typeof witnessOptions>;
export type WitnessOptions = Given & Required<Pick<Given, (typeof needed)[number]>>;

/** @throws ArgumentsError */
export function witnessOptionsOf(given: Given): WitnessOptions {
  if (needed.some((name) => given[name] === undefined))
    throw new ArgumentsError('--registry, --key, --name, --key-file and --state are all needed.');
  return { ...(given as WitnessOptions), registry: given.registry?.replace(/\/+$/u, '') ?? '' };
}

import type { OptionValues } from '@agent-trust/command-line';

export const verifyOptions = {
  export: { type: 'string' },
  'event-log': { type: 'string' },
  registry: { type: 'string' },
  checkpoint: { type: 'string', multiple: true },
  tiles: { type: 'string' },
  key: { type: 'string' },
  origin: { type: 'string' },
  'witness-key': { type: 'string', multiple: true },
  json: { type: 'boolean' },
} as const;
export type VerifyOptions = OptionValues<typeof verifyOptions>;

export const verifyUsage = `Usage: pnpm log:verify [options]

Verifies a log against signed checkpoints, event by event. Without options: the event log and the registry of the running development stack.

What is verified (one of them; default: EVENT_LOG_URL):
  --export <file>            an export, JSON Lines of GET /ops/events
  --event-log <url>          the event log itself, postgres:// or esdb://

Against what:
  --checkpoint <file|url>    a signed checkpoint; may be given several times, and earlier ones narrow down where a log forked
  --registry <url>           a registry: its /log/checkpoint (unless --checkpoint is given), its tiles and its key
  --tiles <folder|url>       the log's tiles (the prefix before tile/…): they show which event differs
  --key <key|file>           the log's verifier key, <name>+<id>+<base64>; without it the registry is asked, which proves less
  --origin <name>            the log's name in the checkpoint, where it is not the key's
  --witness-key <key|file>   a witness that must have cosigned one of the checkpoints; may be given several times

  --json                     the report as JSON

Exit codes: 0 verified; 1 not verified; 2 wrong arguments; 3 something could not be read or reached; 130 stopped.`;

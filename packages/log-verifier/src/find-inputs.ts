import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ArgumentsError, type OptionValues } from '@agent-trust/command-line';
import type { CheckpointTrust } from '@agent-trust/transparency-log';
import { keyOf, keysOfRegistry, noteOf, witnessKeyOf } from './read-inputs.ts';
import { eventLogSource } from './sources/event-log.ts';
import { exportFile } from './sources/export-file.ts';
import type { LogSource } from './sources/log-source.ts';
import { type TileStore, tileStore } from './tiles/tile-store.ts';

export const verifyOptions = {
  export: { type: 'string' },
  'event-log': { type: 'string' },
  registry: { type: 'string' },
  checkpoint: { type: 'string', multiple: true },
  tiles: { type: 'string' },
  segments: { type: 'string' },
  key: { type: 'string', multiple: true },
  origin: { type: 'string' },
  'witness-key': { type: 'string', multiple: true },
  json: { type: 'boolean' },
} as const;
export type VerifyOptions = OptionValues<typeof verifyOptions>;

export const verifyUsage = `Usage: npm run log:verify -- [options]

Verifies a log against signed checkpoints, event by event. Without options: the event log and the registry of the running development stack.

What is verified (one of them; default: EVENT_LOG_URL):
  --export <file>            an export, JSON Lines of GET /ops/events
  --event-log <url>          the event log itself, postgres:// or esdb://
  --segments <folder>        the segments of archived events, too (see docs/retention.md); without it, their leaves are those that the log keeps

Against what:
  --checkpoint <file|url>    a signed checkpoint; may be given several times, and earlier ones narrow down where a log forked
  --registry <url>           a registry: its /log/checkpoint (unless --checkpoint is given), its tiles and its key
  --tiles <folder|url>       the log's tiles (the prefix before tile/…): they show which event differs
  --key <key|file>           the log's verifier key, <name>+<id>+<base64>; several times if the log's key was replaced: a
                             checkpoint needs a signature by one. Without it the registry is asked, which proves less
  --origin <name>            the log's name in the checkpoint, where it is not the key's
  --witness-key <key|file>   a witness that must have cosigned one of the checkpoints; may be given several times

  --json                     the report as JSON

Exit codes: 0 verified; 1 not verified; 2 wrong arguments; 3 something could not be read or reached; 130 stopped.`;

type Inputs = {
  source: LogSource;
  checkpoints: { source: string; note: string }[];
  trust: CheckpointTrust;
  tiles: TileStore | null;
  segments: string | undefined;
  /** Whether the key came from the registry that is verified. */
  isKeyTheRegistrys: boolean;
};

/**
 * Fetches what the options name; by default the event log of the environment and the registry of the development stack. Checkpoints come first: a log
 * that grows meanwhile has all that they cover.
 * @throws ArgumentsError; UnreachableError
 */
export async function findInputs(given: VerifyOptions, env: NodeJS.ProcessEnv): Promise<Inputs> {
  const { export: exportPath, checkpoint: named = [], 'event-log': eventLogUrl = env['EVENT_LOG_URL'] } = given;
  const [key, ...otherKeys] = given.key ?? [];
  if (exportPath !== undefined && given['event-log'] !== undefined)
    throw new ArgumentsError('Give --export or --event-log, not both.');
  const isDefault = exportPath === undefined && named.length === 0;
  const registry = given.registry?.replace(/\/+$/u, '') ?? (isDefault ? await runningRegistry(env) : undefined);
  const sources = named.length > 0 || registry === undefined ? named : [`${registry}/log/checkpoint`];
  if (sources.length === 0)
    throw new ArgumentsError(
      'Nothing to verify against: the development stack does not run here; start it, or give --checkpoint or --registry.',
    );
  if (exportPath === undefined && !eventLogUrl)
    throw new ArgumentsError(
      'Nothing to verify: give --export or --event-log, set EVENT_LOG_URL, or start the development stack.',
    );
  if (exportPath !== undefined && !existsSync(exportPath)) throw new ArgumentsError(`${exportPath} does not exist.`);
  const checkpoints = await Promise.all(sources.map(async (source) => ({ source, note: await noteOf(source) })));
  const [logKey, ...otherLogKeys] =
    key === undefined ? await keysOfRegistry(registry) : [keyOf(key), ...otherKeys.map((one) => keyOf(one))];
  const tiles = given.tiles ?? (registry === undefined ? null : `${registry}/log`);
  return {
    checkpoints,
    trust: {
      logKey,
      otherLogKeys,
      ...(given.origin === undefined ? {} : { origin: given.origin }),
      witnessKeys: (given['witness-key'] ?? []).map(witnessKeyOf),
    },
    tiles: tiles === null ? null : tileStore(tiles),
    segments: given.segments,
    isKeyTheRegistrys: key === undefined,
    source: exportPath === undefined ? await eventLogSource(eventLogUrl ?? '') : exportFile(exportPath),
  };
}

/** The command runs in its caller's folder; the data folder of the stack is in the project. */
const projectFolder = resolve(import.meta.dirname, '../../..');

const runningRegistry = async (env: NodeJS.ProcessEnv): Promise<string | undefined> => {
  // Only a checkout of the whole project has the development stack.
  const { findRunningStack } = await import('@agent-trust/dev-stack');
  return findRunningStack(resolve(projectFolder, env['DATA_DIR'] || '.data'))?.url;
};

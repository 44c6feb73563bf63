import {
  type Checkpoint,
  type CheckpointTrust,
  cosignaturesOf,
  formatVerifierKey,
  sameHash,
  toBase64,
  toHex,
} from '@agent-trust/transparency-log';
import { explainEdited, type GivenCheckpoint, openGiven } from '../checkpoints/explain-edited.ts';
import { UnreachableError } from '../fetch-bytes.ts';
import { verifierLimits } from '../limits.ts';
import type { CheckpointResult, Finding, VerificationReport } from '../report/report.ts';
import type { LogSource, SourceLeaf } from '../sources/log-source.ts';
import { blocksOfTiles, type TileStore } from '../tiles/tile-store.ts';
import { locate } from './locate.ts';
import { verifyArchived } from './verify-archived.ts';
import { type LogReading, readLog } from './read-log.ts';

type VerifyLogInput = {
  source: LogSource;
  /** Notes and where they came from. */
  checkpoints: readonly { source: string; note: string }[];
  trust: CheckpointTrust;
  tiles: TileStore | null;
  /** The folder of the segments of archived events; without it their leaves are taken as the log keeps them. */
  segments?: string | undefined;
  onProgress?: (events: number, eventsPerSecond: number) => void;
  signal?: AbortSignal;
};

type Opened = GivenCheckpoint & { kind: 'opened' };

/** Verifies a log against checkpoints: grows the log's tree, compares its roots, and locates differences. @throws Error if the log cannot be read */
export async function verifyLog(input: VerifyLogInput): Promise<VerificationReport> {
  const { source, trust, tiles, signal = new AbortController().signal } = input;
  const began = performance.now();
  const rate = (events: number): number => Math.round((events * 1000) / Math.max(1, performance.now() - began));
  const given = await Promise.all(input.checkpoints.map(({ source: from, note }) => openGiven(from, note, trust)));
  const faults: Finding[] = [];
  let leftOut = 0;
  const reading = await readLog(source, {
    ...wantedOf(given),
    onFault: (leaf) => {
      if (faults.length < verifierLimits.findingsMax) faults.push(findingOf(leaf));
      else leftOut += 1;
    },
    onProgress: (events) => input.onProgress?.(events, rate(events)),
    signal,
  });
  const [elapsed, perSecond] = [Math.round(performance.now() - began), rate(reading.size)];

  const remarks = source.remarks();
  const findings: Finding[] = [...faults];
  const archived = await verifyArchived(source, input.segments, signal);
  findings.push(...archived.findings);
  remarks.push(...archived.remarks);
  for (const one of given) if (one.kind === 'refused') findings.push(await refusal(one, trust, reading));
  const opened = given.filter((one) => one.kind === 'opened').sort((a, b) => a.checkpoint.size - b.checkpoint.size);
  findings.push(...splitViews(opened));
  for (const one of opened)
    if (!isWhole(one, reading)) findings.push(...(await differenceOf(one, opened, reading, source, tiles, remarks)));
  findings.push(...notCosigned(opened, trust));

  const covered = Math.max(0, ...opened.map(({ checkpoint }) => checkpoint.size));
  if (opened.length > 0 && reading.size > covered)
    remarks.push(
      `${reading.size - covered} event(s) behind the newest checkpoint, from index ${covered}, are not covered by it yet.`,
    );
  const shown = findings.slice(0, verifierLimits.findingsMax);
  return {
    verified: findings.length === 0 && opened.length > 0,
    log: {
      source: source.description,
      events: reading.size,
      last_position: reading.lastPosition,
      root: toBase64(reading.rootAt.get(reading.size) ?? new Uint8Array()),
    },
    checkpoints: given.map((one) => resultOf(one, reading)),
    findings: shown,
    findings_left_out: leftOut + findings.length - shown.length,
    remarks,
    elapsed_ms: elapsed,
    events_per_second: perSecond,
  };
}

const claimOf = (given: GivenCheckpoint): Checkpoint | null =>
  given.kind === 'opened' ? given.checkpoint : given.claimed;

const wantedOf = (given: readonly GivenCheckpoint[]): { sizes: Set<number>; roots: Set<string> } => {
  const refused = given.filter(({ kind }) => kind === 'refused');
  return {
    sizes: new Set(given.flatMap((one) => claimOf(one)?.size ?? [])),
    roots: new Set(refused.map(claimOf).flatMap((claim) => (claim === null ? [] : [toHex(claim.root)]))),
  };
};

const findingOf = ({ index, entry, fault }: SourceLeaf): Finding => ({
  code: fault?.code ?? 'event_unreadable',
  message: fault?.message ?? '',
  index,
  ...(fault?.count === undefined ? {} : { count: fault.count }),
  ...(entry === null ? {} : { position: entry.position, event_id: entry.event_id }),
});

const refusal = async (
  { source, note, error, claimed }: GivenCheckpoint & { kind: 'refused' },
  trust: CheckpointTrust,
  reading: LogReading,
): Promise<Finding> => {
  const explained = claimed === null ? null : await explainEdited(note, claimed, error, trust, reading);
  const line = explained?.line ?? error.line;
  const message = explained === null ? error.message : `line ${explained.line}: ${explained.message}`;
  return { code: error.code, message: `${source}: ${message}`, checkpoint: source, ...(line === null ? {} : { line }) };
};

const isWhole = ({ checkpoint }: Opened, { rootAt }: LogReading): boolean => {
  const root = rootAt.get(checkpoint.size);
  return root !== undefined && sameHash(root, checkpoint.root);
};

/** Two trees of one size under the log's signature: no log has both. */
const splitViews = (opened: readonly Opened[]): Finding[] =>
  opened.flatMap((one, index) => {
    const other = opened[index + 1];
    if (other === undefined || other.checkpoint.size !== one.checkpoint.size) return [];
    if (sameHash(other.checkpoint.root, one.checkpoint.root)) return [];
    const { size } = one.checkpoint;
    const message = `${one.source} and ${other.source} are both signed, for two trees of ${size} events: the log was shown to different readers in different forms`;
    return [{ code: 'split_view' as const, message, checkpoint: other.source, to_size: size }];
  });

/** The named witnesses that have cosigned none of the checkpoints. */
const notCosigned = (opened: readonly Opened[], { witnessKeys = [] }: CheckpointTrust): Finding[] => {
  const cosigners = new Set(
    opened.flatMap((one) => cosignaturesOf(one.checkpoint).map(({ key }) => formatVerifierKey(key))),
  );
  return witnessKeys
    .filter((key) => !cosigners.has(formatVerifierKey(key)))
    .map(({ name }) => ({
      code: 'not_cosigned' as const,
      message: `the witness ${name} has cosigned none of the checkpoints that were given; its cosigned ones are what it publishes, not what the registry serves`,
    }));
};

/** The differences between the log and a checkpoint that does not fit it. */
const differenceOf = async (
  one: Opened,
  opened: readonly Opened[],
  reading: LogReading,
  source: LogSource,
  tiles: TileStore | null,
  remarks: string[],
): Promise<Finding[]> => {
  const { size, root } = one.checkpoint;
  const fitting = opened.filter((other) => isWhole(other, reading)).map(({ checkpoint }) => checkpoint.size);
  const from = Math.max(0, ...fitting.filter((other) => other < size));
  const later = fitting.find((other) => other >= size);
  const findings: Finding[] = [];
  const place = { checkpoint: one.source, from_size: from, to_size: size };
  const located = await locatedByTiles(one, reading, source, tiles, remarks);
  const missing = size - reading.size;
  // Events that are missing further up are reported there; the end of the log is whole then.
  const missingWithin = Math.max(
    reading.missing,
    located.reduce((sum, { code, count = 0 }) => sum + (code === 'event_missing' ? count : 0), 0),
  );
  if (missing > missingWithin) {
    const last = reading.lastPosition === null ? '' : `, behind position ${reading.lastPosition}`;
    findings.push({
      code: 'log_truncated',
      message: `${one.source} was signed for ${size} events and the log has ${reading.size}: it ends before index ${reading.size}${last}, and ${missing} event(s) are missing`,
      ...place,
      index: reading.size,
      count: missing,
      ...(reading.lastPosition === null ? {} : { position: reading.lastPosition }),
    });
  }
  const own = reading.rootAt.get(size);
  if (later !== undefined && own !== undefined)
    findings.push({
      code: 'log_forked',
      message: `the log forked between size ${from} and size ${size}: at size ${size} it has root ${toBase64(own)}, ${one.source} was signed for ${toBase64(root)}, and a checkpoint for ${later} events fits the log as it is now`,
      ...place,
    });
  findings.push(...located.map((finding) => ({ ...finding, checkpoint: one.source })));
  if (findings.length > 0 || own === undefined) return findings;
  return [
    {
      code: 'log_differs',
      message: `the log and ${one.source} differ between size ${from} and size ${size}: an event from index ${from} to ${size - 1} was changed, added or removed, or the log forked there (root here ${toBase64(own)}, signed ${toBase64(root)}); give --tiles, or more checkpoints, to learn which`,
      ...place,
    },
  ];
};

const locatedByTiles = async (
  { source: name, checkpoint }: Opened,
  reading: LogReading,
  source: LogSource,
  tiles: TileStore | null,
  remarks: string[],
): Promise<Finding[]> => {
  if (tiles === null) return [];
  const { size, root } = checkpoint;
  try {
    const tree = await blocksOfTiles(size, root, tiles);
    if (tree !== null) return await locate(source, reading, tree, tiles);
    remarks.push(
      `The tiles at ${tiles.description} are not those of ${name} (size ${size}): they make another root, so the tree that is served was rewritten, too, or is another log’s.`,
    );
  } catch (error) {
    if (!(error instanceof UnreachableError) && !(error instanceof RangeError)) throw error;
    remarks.push(`The tiles do not show where the log differs: ${error.message}.`);
  }
  return [];
};

const resultOf = (given: GivenCheckpoint, reading: LogReading): CheckpointResult => {
  const claimed = claimOf(given);
  const signatures = given.kind === 'opened' ? given.checkpoint.signatures : [];
  const cosigned = given.kind === 'opened' ? cosignaturesOf(given.checkpoint) : [];
  return {
    source: given.source,
    verified: given.kind === 'opened' && isWhole(given, reading),
    origin: claimed?.origin ?? null,
    size: claimed?.size ?? null,
    root: claimed === null ? null : toBase64(claimed.root),
    signed_by: signatures.filter((one) => !cosigned.includes(one)).map(({ key }) => key.name),
    cosigned_by: cosigned.map(({ key, signedAt }) => ({ name: key.name, at: signedAt?.toISOString() ?? '' })),
  };
};

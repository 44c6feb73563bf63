// As a whole: Node before 22.15, on which the command line runs, too, lacks zstd.
import * as zlib from 'node:zlib';
import { archiveLimits } from './limits.ts';

export type ExchangeOutcome = 'completed' | 'failed' | 'abandoned';

/** What the registry goes on to need of an exchange whose events have left the log. */
export type ArchivedExchange = {
  transactionId: string;
  callerAgentId: string;
  receiverAgentId: string;
  /** Whether it took place in production, where it counts as a transaction of the receiver. */
  isProduction: boolean;
  /** Whether the caller belonged to an organisation, and to another than the receiver, when the exchange ended. */
  isOfOtherOrganisation: boolean;
  outcome: ExchangeOutcome;
  /** Milliseconds since the Unix epoch: when it ended, according to its proxy. */
  endedAtMs: number;
};

/** The leaf of an archived event in the log's tree. */
export type ArchivedLeaf = { position: bigint; eventId: string; hash: Uint8Array };

/** A list in a record: base64 of the zstd frame of a JSON text. The texts of the lists are columns, which are smaller than rows. */
const pack = (columns: unknown): string => zlib.zstdCompressSync(JSON.stringify(columns)).toString('base64');

const unpack = (packed: string): unknown =>
  JSON.parse(
    zlib
      .zstdDecompressSync(Buffer.from(packed, 'base64'), { maxOutputLength: archiveLimits.unpackedBytesMax })
      .toString(),
  );

const outcomes: readonly ExchangeOutcome[] = ['completed', 'failed', 'abandoned'];
const flag = { production: 4, otherOrganisation: 8 } as const;

type ExchangeColumns = { ids: string[]; callers: number[]; receivers: number[]; kinds: number[]; endedAtMs: number[] };

/** @param agentIds has every caller and receiver; the list refers to agents by their place in it */
export function packExchanges(exchanges: readonly ArchivedExchange[], agentIds: readonly string[]): string {
  const placeOf = new Map(agentIds.map((agentId, place) => [agentId, place]));
  const place = (agentId: string): number => {
    const found = placeOf.get(agentId);
    if (found === undefined) throw new Error(`agent ${agentId} is missing in the list of agents`);
    return found;
  };
  return pack({
    ids: exchanges.map(({ transactionId }) => transactionId),
    callers: exchanges.map(({ callerAgentId }) => place(callerAgentId)),
    receivers: exchanges.map(({ receiverAgentId }) => place(receiverAgentId)),
    kinds: exchanges.map(
      ({ outcome, isProduction, isOfOtherOrganisation }) =>
        outcomes.indexOf(outcome) +
        (isProduction ? flag.production : 0) +
        (isOfOtherOrganisation ? flag.otherOrganisation : 0),
    ),
    endedAtMs: exchanges.map(({ endedAtMs }) => endedAtMs),
  } satisfies ExchangeColumns);
}

/** @throws Error if the list is damaged */
export function unpackExchanges({
  exchanges,
  agentIds,
}: {
  exchanges: string;
  agentIds: readonly string[];
}): ArchivedExchange[] {
  const { ids, callers, receivers, kinds, endedAtMs } = unpack(exchanges) as ExchangeColumns;
  const agentAt = (place: number | undefined): string => {
    const agentId = agentIds[place ?? -1];
    if (agentId === undefined) throw new Error('a list of archived exchanges refers to an agent that it does not have');
    return agentId;
  };
  return ids.map((transactionId, index) => {
    const kind = kinds[index] ?? Number.NaN;
    const outcome = outcomes[kind & 3];
    const endedAt = endedAtMs[index];
    if (outcome === undefined || endedAt === undefined) throw new Error('a list of archived exchanges is damaged');
    return {
      transactionId,
      callerAgentId: agentAt(callers[index]),
      receiverAgentId: agentAt(receivers[index]),
      isProduction: (kind & flag.production) !== 0,
      isOfOtherOrganisation: (kind & flag.otherOrganisation) !== 0,
      outcome,
      endedAtMs: endedAt,
    };
  });
}

type LeafColumns = { first: string; steps: number[]; eventIds: string; hashes: string };

const hashDigits = 64;
const idDigits = 32;

/** @param leaves in the order of their positions */
export function packLeaves(leaves: readonly ArchivedLeaf[]): string {
  let last = leaves[0]?.position ?? 0n;
  return pack({
    first: String(last),
    steps: leaves.map(({ position }) => {
      const step = Number(position - last);
      last = position;
      return step;
    }),
    eventIds: leaves.map(({ eventId }) => eventId.replaceAll('-', '')).join(''),
    hashes: leaves.map(({ hash }) => Buffer.from(hash).toString('hex')).join(''),
  } satisfies LeafColumns);
}

const withDashes = (digits: string): string =>
  `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;

/** @throws Error if the list is damaged */
export function unpackLeaves(leaves: string): ArchivedLeaf[] {
  const { first, steps, eventIds, hashes } = unpack(leaves) as LeafColumns;
  if (eventIds.length !== steps.length * idDigits || hashes.length !== steps.length * hashDigits) {
    throw new Error('a list of archived leaves is damaged');
  }
  let position = BigInt(first);
  return steps.map((step, index) => {
    position += BigInt(step);
    return {
      position,
      eventId: withDashes(eventIds.slice(index * idDigits, (index + 1) * idDigits)),
      hash: new Uint8Array(Buffer.from(hashes.slice(index * hashDigits, (index + 1) * hashDigits), 'hex')),
    };
  });
}

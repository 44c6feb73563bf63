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
  /** What it says of how the receiver answers; null if nothing, and in records that are older than liveness. */
  answer: ArchivedAnswer | null;
};

export type ArchivedAnswer = {
  /** Milliseconds since the Unix epoch. */
  beganMs: number;
  /** Whole milliseconds; 0 of one that failed. */
  answerMs: number;
  timedOut: boolean;
  /** The organisation of the caller when it ended. */
  callerOrgId: string | null;
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
const flag = { production: 4, otherOrganisation: 8, answer: 16, timedOut: 32 } as const;

type ExchangeColumns = {
  ids: string[];
  callers: number[];
  receivers: number[];
  kinds: number[];
  endedAtMs: number[];
  /** Only of those that have an answer: how long before its end each began, how long the answer took, and the caller's place in `organisations`. */
  answers?: { began: number[]; answerMs: number[]; callers: number[]; organisations: (string | null)[] };
};

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
      ({ outcome, isProduction, isOfOtherOrganisation, answer }) =>
        outcomes.indexOf(outcome) +
        (isProduction ? flag.production : 0) +
        (isOfOtherOrganisation ? flag.otherOrganisation : 0) +
        (answer === null ? 0 : flag.answer) +
        (answer?.timedOut === true ? flag.timedOut : 0),
    ),
    endedAtMs: exchanges.map(({ endedAtMs }) => endedAtMs),
    answers: answerColumns(exchanges),
  } satisfies ExchangeColumns);
}

const answerColumns = (exchanges: readonly ArchivedExchange[]): NonNullable<ExchangeColumns['answers']> => {
  const placeOf = new Map<string | null, number>();
  const columns = { began: [] as number[], answerMs: [] as number[], callers: [] as number[] };
  for (const { answer, endedAtMs } of exchanges) {
    if (answer === null) continue;
    const place = placeOf.get(answer.callerOrgId) ?? placeOf.size;
    placeOf.set(answer.callerOrgId, place);
    columns.began.push(endedAtMs - answer.beganMs);
    columns.answerMs.push(answer.answerMs);
    columns.callers.push(place);
  }
  return { ...columns, organisations: [...placeOf.keys()] };
};

/** @throws Error if the list is damaged */
export function unpackExchanges({
  exchanges,
  agentIds,
}: {
  exchanges: string;
  agentIds: readonly string[];
}): ArchivedExchange[] {
  const { ids, callers, receivers, kinds, endedAtMs, answers } = unpack(exchanges) as ExchangeColumns;
  let answerCount = 0;
  const agentAt = (place: number | undefined): string => {
    const agentId = agentIds[place ?? -1];
    if (agentId === undefined) throw new Error('a list of archived exchanges refers to an agent that it does not have');
    return agentId;
  };
  return ids.map((transactionId, index) => {
    const kind = kinds[index] ?? Number.NaN;
    const outcome = outcomes[kind & 3];
    const endedAt = endedAtMs[index];
    if (outcome === undefined || endedAt === undefined) throw damaged();
    let answer: ArchivedAnswer | null = null;
    if ((kind & flag.answer) !== 0) {
      const began = answers?.began[answerCount];
      const answerMs = answers?.answerMs[answerCount];
      const callerOrgId = answers?.organisations[answers.callers[answerCount] ?? -1];
      if (began === undefined || answerMs === undefined || callerOrgId === undefined) throw damaged();
      answer = { beganMs: endedAt - began, answerMs, timedOut: (kind & flag.timedOut) !== 0, callerOrgId };
      answerCount += 1;
    }
    return {
      transactionId,
      callerAgentId: agentAt(callers[index]),
      receiverAgentId: agentAt(receivers[index]),
      isProduction: (kind & flag.production) !== 0,
      isOfOtherOrganisation: (kind & flag.otherOrganisation) !== 0,
      outcome,
      endedAtMs: endedAt,
      answer,
    };
  });
}

const damaged = (): Error => new Error('a list of archived exchanges is damaged');

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

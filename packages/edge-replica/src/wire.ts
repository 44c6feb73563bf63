import { z } from 'zod';
import type { FeedMessage, LeaderReply, MemberMessage, Scope } from './messages.ts';

/** Where the messages of the protocol are on the bus. */
export const replicaSubjects = {
  /** From the leader to the members of a scope. */
  feed: (scope: Scope): string => `replica.feed.${scope}`,
  /** From the leader to all whose writers wait. */
  watermark: 'replica.watermark',
  /** From members of a service to the leader; the other instances ignore them. */
  leader: (service: string): string => `replica.leader.${service}`,
  toLeader: 'replica.leader.*',
  /** The leader's answers to one member, by its service and a number that nobody can guess. */
  answersTo: (service: string, memberId: string): string => `replica.member.${service}.${memberId}`,
} as const;

/**
 * Whose message to the leader this is, by its subject and where its sender wants the answer; null if it asks for answers to another service.
 * The bus lets a service publish on its own subject alone, and hear answers to its own members alone.
 */
export function senderOf(subject: string, reply: string | undefined): string | null {
  const service = subject.slice(replicaSubjects.leader('').length);
  return reply?.startsWith(replicaSubjects.answersTo(service, '')) === true ? reply : null;
}

const position = z
  .string()
  .regex(/^-?\d{1,20}$/u)
  .transform(BigInt);
const epoch = z.number().int();
const scope = z.enum(['rare', 'all']);
const incarnation = z.string().min(1).max(64);
const of = <Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) =>
  z.object({ kind: z.literal(kind), ...shape });

const feedMessage = z.discriminatedUnion('kind', [
  of('change', {
    scope,
    epoch,
    seq: epoch,
    position,
    keys: z.array(z.string()),
    everything: z.boolean(),
    isLast: z.boolean(),
  }),
  of('watermark', { epoch, position }),
  of('heartbeat', { scope, epoch, seq: epoch, watermark: position }),
  of('leave', { epoch }),
]) satisfies z.ZodType<FeedMessage, unknown>;

const memberMessage = z.discriminatedUnion('kind', [
  of('join', { incarnation, scope }),
  of('renew', { epoch, incarnation, request: epoch, applied: position }),
  of('applied', { epoch, incarnation, position }),
  of('left', { incarnation }),
]) satisfies z.ZodType<MemberMessage, unknown>;

const leaderReply = z.discriminatedUnion('kind', [
  of('granted', { epoch, incarnation, seq: epoch, announced: position, watermark: position }),
  of('renewed', { epoch, incarnation, request: epoch }),
  of('refused', { epoch, incarnation }),
]) satisfies z.ZodType<LeaderReply, unknown>;

type Message = FeedMessage | MemberMessage | LeaderReply;

export function encodeMessage(message: Message): string {
  return JSON.stringify(message, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

/** Where a message of the leader is published. A leader that stops says so to all its members. */
export function subjectsOf(message: FeedMessage): string[] {
  if (message.kind === 'watermark') return [replicaSubjects.watermark];
  if (message.kind === 'leave') return [replicaSubjects.feed('rare'), replicaSubjects.feed('all')];
  return [replicaSubjects.feed(message.scope)];
}

/** @throws SyntaxError, ZodError for anything that is no such message: a member that cannot read its feed gives up its lease */
export function decodeFeedMessage(text: string): FeedMessage {
  return feedMessage.parse(JSON.parse(text));
}

/** @throws SyntaxError, ZodError */
export function decodeMemberMessage(text: string): MemberMessage {
  return memberMessage.parse(JSON.parse(text));
}

/** @throws SyntaxError, ZodError */
export function decodeLeaderReply(text: string): LeaderReply {
  return leaderReply.parse(JSON.parse(text));
}

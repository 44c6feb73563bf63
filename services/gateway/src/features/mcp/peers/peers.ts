import { randomUUID } from 'node:crypto';
import { DomainError } from '@agent-trust/contracts';
import { errors, type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import { z } from 'zod';
import { seal, unseal } from '../../../credentials/seal.ts';
import { mcpLimits } from '../limits.ts';
import { mcpCaller } from '../mcp-caller.ts';
import type { McpKeys } from '../sealing.ts';

/** What one gateway sends to the others. Sealed on the bus: session ids and credentials are in it. */
const peerMessage = z.discriminatedUnion('kind', [
  /** A message for a session whose stream the asked gateway holds. */
  z.object({ kind: z.literal('message'), sessionId: z.string(), caller: mcpCaller, message: z.unknown() }),
  /** A client takes a request back that some gateway is working on. */
  z.object({ kind: z.literal('cancel'), sessionId: z.string(), caller: mcpCaller, requestKey: z.string() }),
  /** A session has ended. */
  z.object({ kind: z.literal('ended'), sessionId: z.string() }),
]);
type PeerMessage = z.output<typeof peerMessage>;
type Of<Kind extends PeerMessage['kind']> = Extract<PeerMessage, { kind: Kind }>;

/** The gateways of a registry among themselves. */
export type Peers = {
  /** The name by which the others reach this one. */
  readonly ownId: string;
  /** Hands a message to the gateway that holds its stream. */
  hand(peerId: string, message: Of<'message'>): Promise<Taken>;
  /** Tells all others. Nobody answers, and nothing is lost with a word that does not arrive but time. */
  tellAll(news: Of<'cancel'> | Of<'ended'>): void;
  close(): void;
};

/** What became of a message: it is worked on; its stream is there no more; or its session has as many under way as it may. */
export type Taken = 'taken' | 'gone' | 'busy';
const taken = z.enum(['taken', 'gone', 'busy']);

type PeerListener = {
  onMessage(message: Of<'message'>): Promise<Taken>;
  onNews(news: Of<'cancel'> | Of<'ended'>): void;
};

const subjectOf = (peerId: string): string => `mcp.gateway.${peerId}`;
const everybody = 'all';

/** @param onFault Hears of messages that could not be read or taken in. */
export function joinPeers(
  connection: NatsConnection,
  keys: McpKeys,
  listener: PeerListener,
  onFault: (cause: unknown) => void,
): Peers {
  const ownId = randomUUID();
  const sealFor = (peerId: string, what: unknown): Uint8Array => seal(keys.peers, peerId, JSON.stringify(what));
  const take = async (peerId: string, { data }: Msg): Promise<Taken> => {
    const news = peerMessage.parse(JSON.parse(unseal(keys.peers, peerId, data)));
    if (news.kind === 'message') return listener.onMessage(news);
    listener.onNews(news);
    return 'taken';
  };
  const listen = (peerId: string): Subscription =>
    connection.subscribe(subjectOf(peerId), {
      callback: (error, message) => {
        if (error !== null) return;
        take(peerId, message).then(
          (outcome) => message.respond(sealFor('answer', outcome)),
          // Nobody is left waiting for long: who asked says that it could not be had.
          (cause: unknown) => onFault(cause),
        );
      },
    });
  const subscriptions = [listen(ownId), listen(everybody)];

  return {
    ownId,
    hand: async (peerId, message) => {
      try {
        const answer = await connection.request(subjectOf(peerId), sealFor(peerId, message), {
          timeout: mcpLimits.peerTimeoutMs,
          // A subject of the gateways' own: nobody else may answer.
          noMux: true,
          reply: `mcp.gateway.answer.${randomUUID()}`,
        });
        return taken.parse(JSON.parse(unseal(keys.peers, 'answer', answer.data)));
      } catch (error) {
        if (error instanceof errors.RequestError && error.isNoResponders()) return 'gone';
        throw new DomainError('unavailable', 'the gateway that holds this session does not answer', { cause: error });
      }
    },
    tellAll: (news) => {
      if (!connection.isClosed()) connection.publish(subjectOf(everybody), sealFor(everybody, news));
    },
    close: () => {
      for (const subscription of subscriptions) subscription.unsubscribe();
    },
  };
}

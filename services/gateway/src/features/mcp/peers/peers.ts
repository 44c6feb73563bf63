import { randomUUID } from 'node:crypto';
import { DomainError } from '@agent-trust/contracts';
import { errors, type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import { z } from 'zod';
import { seal, unseal } from '../../../credentials/seal.ts';
import { mcpLimits } from '../limits.ts';
import { mcpCaller } from '../mcp-caller.ts';
import type { McpKeys } from '../sealing.ts';

/** A message between gateways. Sealed on the bus: it contains session ids and credentials. */
const peerMessage = z.discriminatedUnion('kind', [
  /** A message for a session whose stream the receiver holds. */
  z.object({ kind: z.literal('message'), sessionId: z.string(), caller: mcpCaller, message: z.unknown() }),
  /** A client cancels a request that may run at any gateway. */
  z.object({ kind: z.literal('cancel'), sessionId: z.string(), caller: mcpCaller, requestKey: z.string() }),
  z.object({ kind: z.literal('ended'), sessionId: z.string() }),
]);
type PeerMessage = z.output<typeof peerMessage>;
type Of<Kind extends PeerMessage['kind']> = Extract<PeerMessage, { kind: Kind }>;

/** The connection to the other gateways of a registry. */
export type Peers = {
  readonly ownId: string;
  /** Passes a message to the gateway that holds its stream. */
  hand(peerId: string, message: Of<'message'>): Promise<Taken>;
  /** Notifies all others. There is no answer; a lost notification only costs time. */
  tellAll(news: Of<'cancel'> | Of<'ended'>): void;
  close(): void;
};

/** The result: accepted; its stream is gone; or its session has too many running requests. */
export type Taken = 'taken' | 'gone' | 'busy';
const taken = z.enum(['taken', 'gone', 'busy']);

type PeerListener = {
  onMessage(message: Of<'message'>): Promise<Taken>;
  onNews(news: Of<'cancel'> | Of<'ended'>): void;
};

const subjectOf = (peerId: string): string => `mcp.gateway.${peerId}`;
const everybody = 'all';

/** @param onFault gets errors of received messages. */
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
          // The sender's timeout reports the failure.
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
          // A subject of the gateways: no other service may answer.
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

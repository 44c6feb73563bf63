import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { certificate, privateKey } from '@agent-trust/test-kit/loopback-certificate';
import { Webhook } from 'standardwebhooks';

/** The body of a message, as docs/webhooks.md describes it. */
export type WebhookMessage = {
  type: string;
  timestamp: string;
  data: {
    agent_id: string | null;
    trust_score?: number;
    previous_score?: number | null;
    trust_policy?: string;
    org_domain?: string | null;
    reason?: string | null;
    position: string;
    cause: { type: string; event_id: string; transaction_id: string | null };
  };
};
export type Received = { id: string; path: string; message: WebhookMessage };

export type WebhookConsumer = {
  url: string;
  /** Every message with a valid signature, in the order of arrival. */
  received: Received[];
  /** Every request, whatever its signature. */
  requests: () => number;
  /** Replaces the answer 204. */
  answerWith: (answer: (response: ServerResponse, received: Received) => void) => void;
  stop(): void;
};

/** Another run of the same test may have the port for as long as it takes. */
const portWaitMs = 60_000;
const portPollMs = 500;

/** Listens on a port that may still be another run's. @throws Error if it is not free in time */
const listen = async (server: Server, port: number): Promise<void> => {
  for (const deadline = Date.now() + portWaitMs; ; ) {
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      return;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE' || Date.now() > deadline)
        throw new Error(
          `The webhook's consumer cannot listen on 127.0.0.1:${port}, the address in its webhook: end what has the port (${String(cause)}).`,
          { cause },
        );
    }
    await delay(portPollMs);
  }
};

/** A consumer of webhooks over https with the tests' certificate, on a free port unless it needs its own. `secretOf` returns the secret for a path. */
export async function startWebhookConsumer(
  secretOf: (path: string) => string | undefined,
  port = 0,
): Promise<WebhookConsumer> {
  const received: Received[] = [];
  let requests = 0;
  let answer: Parameters<WebhookConsumer['answerWith']>[0] = (response) => response.writeHead(204).end();
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests += 1;
    const path = request.url ?? '';
    const body = await text(request);
    const headers = Object.fromEntries(
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(request.headers[name])]),
    );
    let message: WebhookMessage;
    try {
      message = new Webhook(secretOf(path) ?? 'whsec_').verify(body, headers) as WebhookMessage;
    } catch {
      response.writeHead(401).end();
      return;
    }
    const one = { id: headers['webhook-id'] ?? '', path, message };
    received.push(one);
    answer(response, one);
  };
  const server = createServer({ cert: certificate, key: privateKey }, (request, response) => {
    // The sender of a request may have disconnected.
    take(request, response).catch(() => response.destroy());
  });
  await listen(server, port);
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    received,
    requests: () => requests,
    answerWith: (next) => {
      answer = next;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Bug: a stream is buffered before it is read, or continues after its reader has disconnected. Method: the agent sends its next event only
 * after the client has read the last one, and reports when its own connection closes.
 */
import { once } from 'node:events';
import { createServer, request as send, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BrokenStreamError, type CallStream, generateKeyPair, type RegistryClient } from '@agent-trust/client';
import { waitFor } from '@agent-trust/test-kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { createOrg, gateways, join, type Org } from '../support/ask.ts';
import { type RecordingAgent, type Respond, respondJson, startRecordingAgent } from '../support/recording-agent.ts';
import { textMessage, unique } from '../support/registry.ts';
import { watchedClient } from '../support/watched-client.ts';

let agent: RecordingAgent;
let respond: Respond;
let org: Org;
let callerId: string;
let caller: RegistryClient;
beforeAll(async () => {
  agent = await startRecordingAgent((...all) => respond(...all));
  org = await createOrg();
  const member = await join(org.key);
  callerId = member.agentId;
  caller = watchedClient({ agentKey: String(member.auth['authorization']).replace('Bearer ', '') });
  return () => agent.stop();
});

const target = async (fields: Record<string, unknown> = {}): Promise<string> =>
  (await join({}, { endpoint_url: agent.url, ...fields })).agentId;
const body = (agentId: string) => ({
  caller_agent_id: callerId,
  agent_id: agentId,
  message: textMessage('go', 'message/stream') as { jsonrpc: string },
});
const startEvents = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });

describe('a streamed call', () => {
  it('delivers each event before the next one is sent, and can be reviewed at its end', async () => {
    const read: string[] = [];
    respond = async (_request, response) => {
      startEvents(response);
      for (const event of ['one', 'two', 'three']) {
        response.write(`id: ${event}\ndata: {"n":"${event}"}\n\n`);
        await waitFor(() => read.includes(event), { description: `event ${event} has been read` });
      }
      response.end();
    };
    const receiver = await target();
    const stream = await caller.callStream(body(receiver));
    expect([stream.statusCode, stream.payVia, stream.requestId]).toEqual([200, null, expect.any(String)]);
    for await (const event of stream.events) {
      expect(event).toEqual({ event: 'message', id: event.id, data: `{"n":"${event.id}"}`, json: { n: event.id } });
      read.push(event.id ?? '');
    }
    expect(read).toEqual(['one', 'two', 'three']);
    const review = { caller_agent_id: callerId, receiver_agent_id: receiver, success: true, score: 8 };
    expect((await caller.review({ ...review, transaction_id: stream.transactionId })).trust_score).toBeGreaterThan(40);
  });

  const reason = new Error('enough');
  const endings: Record<string, (stream: CallStream, controller: AbortController) => Promise<unknown>> = {
    'leaving the loop': async ({ events }) => {
      for await (const { data } of events) if (data === 'first') break;
    },
    cancelling: (stream) => stream.cancel(),
    'aborting its signal': async ({ events }, controller) => {
      for await (const { data } of events) if (data === 'first') controller.abort(reason);
    },
  };
  it.each(Object.entries(endings))('is cancelled at the agent, too, by %s', async (_name, end) => {
    let closed = false;
    respond = (_request, response) => {
      startEvents(response).write('data: first\n\n');
      response.on('close', () => (closed = true));
    };
    const controller = new AbortController();
    const stream = await caller.callStream(body(await target()), { signal: controller.signal });
    const outcome = await end(stream, controller).catch((error: unknown) => error);
    expect(outcome).toBe(controller.signal.aborted ? reason : undefined);
    await waitFor(() => closed, { description: 'the agent’s connection is closed' });
  });

  it('that breaks off throws an error with the transaction', async () => {
    respond = (_request, response) => {
      startEvents(response).write('data: first\n\ndata: half');
      setImmediate(() => response.destroy());
    };
    const stream = await caller.callStream(body(await target()));
    const read: string[] = [];
    const reading = (async () => {
      for await (const { data } of stream.events) read.push(data);
    })();
    const failure = await reading.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(BrokenStreamError);
    expect(failure).toMatchObject({ transactionId: stream.transactionId });
    expect(read).toEqual(['first']);
  });

  it('of an agent that answers with JSON is one event', async () => {
    respond = respondJson(200, { ok: true });
    const stream = await caller.callStream(body(await target()));
    const events = [];
    for await (const event of stream.events) events.push(event.json);
    expect(events).toEqual([{ ok: true }]);
  });

  it('is refused like any other call', async () => {
    await expect(caller.callStream(body(unique('nobody')))).rejects.toMatchObject({ code: 'agent_not_found' });
    await expect(caller.call(body(callerId))).rejects.toThrow('callStream');
  });
});

it('a registry below a path of its host verifies signatures over the path that it receives', async () => {
  const proxy = createServer((incoming, outgoing) => {
    const onward = send(`${gateways[0]}${(incoming.url ?? '').replace('/trust', '')}`, {
      method: incoming.method,
      headers: incoming.headers,
    });
    onward.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  try {
    const { publicKey, privateKey } = await generateKeyPair();
    const agentId = unique('signer');
    const baseUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/trust/`;
    const signing = watchedClient({ baseUrl, signer: { agentId, privateKey } });
    await signing.register({ agent_id: agentId, public_key: publicKey });
    expect((await signing.requestRotation({ agent_id: agentId })).status).toBe('rotated');
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
});

import { setImmediate } from 'node:timers/promises';
import {
  agentRoute,
  authenticateOrgKey,
  callRoute,
  executeCall,
  getAgentProfile,
  registerRoute,
  registryRoute,
  verifyRoute,
  whoamiRoute,
} from '@agent-trust/contracts';
import { waitFor } from '@agent-trust/test-kit';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createServer } from '../../http/server.ts';
import { endpoints } from '../endpoints.ts';
import { agentKey, organisation, orgKey } from '../../testing/agents.ts';
import { type GatewayUnderTest, answerAsKnown, startGatewayUnderTest } from '../../testing/gateway-under-test.ts';
import { endCancelledRoutes, createInvokeRoute } from './invoke-route.ts';

let under: GatewayUnderTest;
let app: FastifyInstance;
beforeAll(async () => {
  under = await startGatewayUnderTest();
  app = createServer(under.gateway, endpoints, () => undefined);
  endCancelledRoutes(app);
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await under.stop();
});

const never = new AbortController().signal;
const invoke = (headers: Record<string, string> = {}, setKey: string | null = null) =>
  createInvokeRoute(
    app,
    { requestId: 'asked-1', remoteAddress: '127.0.0.1', client: '127.0.0.1', headers },
    () => setKey,
  );

describe('a route called by a tool', () => {
  it("answers as over HTTP, with the id of the tool call's message", async () => {
    const found = await invoke()(verifyRoute, { body: { agent_id: 'receiver' } }, never);
    expect(found).toMatchObject({
      status: 200,
      body: { agent_id: 'receiver' },
      headers: { 'x-request-id': 'asked-1' },
    });
    const unknown = await invoke()(verifyRoute, { body: { agent_id: 'nobody' } }, never);
    expect(unknown).toMatchObject({ status: 404, body: { code: 'agent_not_found', request_id: 'asked-1' } });
  });

  it('validates against its schemas', async () => {
    const { status, body } = await invoke()(registerRoute, { body: { agent_id: '' } }, never);
    expect([status, body]).toMatchObject([422, { code: 'validation_failed' }]);
  });

  it('accepts any characters in ids and queries', async () => {
    const id = 'a/b?c#d é';
    under.bus.answer(getAgentProfile, () => ({ agent: null, ratings: [] }));
    await invoke()(agentRoute, { params: { agent_id: id } }, never);
    expect(under.bus.inputsOf(getAgentProfile).at(-1)).toMatchObject({ agentId: id });
    const refused = await invoke()(registryRoute, { query: { limit: 201, offset: undefined } }, never);
    expect([refused.status, refused.body]).toMatchObject([422, { detail: [{ loc: ['query', 'limit'] }] }]);
  });

  it("has the connection's credentials and no other", async () => {
    const own = await invoke({ 'x-api-key': orgKey })(whoamiRoute, {}, never);
    expect([own.status, own.body]).toMatchObject([200, { org_name: organisation.orgName }]);
    expect((await invoke()(whoamiRoute, {}, never)).status).toBe(401);
    const forged = await invoke({ 'x-api-key': 'none' })(whoamiRoute, { headers: { 'x-api-key': orgKey } }, never);
    expect(forged.status).toBe(401);
  });

  it('is cancelled with the call, and the gateway continues', async () => {
    const controller = new AbortController();
    let release: (() => void) | undefined;
    const answered = new Promise<void>((resolve) => {
      release = resolve;
    });
    under.bus.answer(authenticateOrgKey, async () => {
      await answered;
      return { organisation };
    });
    const before = under.bus.inputsOf(authenticateOrgKey).length;
    const invoked = invoke({ 'x-api-key': orgKey })(whoamiRoute, {}, controller.signal);
    await waitFor(() => under.bus.inputsOf(authenticateOrgKey).length > before);
    controller.abort(new Error('the client left'));
    await expect(invoked).rejects.toThrow('the client left');
    release?.();
    answerAsKnown(under.bus);
    expect((await invoke({ 'x-api-key': orgKey })(whoamiRoute, {}, never)).status).toBe(200);
  });

  it("cancels the called agent's request when the call is cancelled", async () => {
    let begun = false;
    let cancelled = false;
    under.bus.answerStream(executeCall, async (_input, body, _answer, { signal }) => {
      for await (const _ of body);
      begun = true;
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => {
          resolve();
        });
      });
      cancelled = true;
      throw signal.reason;
    });
    const controller = new AbortController();
    const invoked = invoke({ authorization: `Bearer ${agentKey}` })(
      callRoute,
      { body: { caller_agent_id: 'caller', agent_id: 'receiver', message: { a: 1 } } },
      controller.signal,
    );
    await waitFor(() => begun);
    controller.abort(new Error('the client left'));
    await expect(invoked).rejects.toThrow('the client left');
    expect(await waitFor(() => cancelled)).toBe(true);
  });

  it('passes a stream of events on without a warning of too many listeners', async () => {
    const chunks = ['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n'];
    under.bus.answerStream(executeCall, async (_input, body, answer) => {
      for await (const _ of body);
      answer.head({
        transactionId: 't1',
        statusCode: 200,
        responseHeaders: {},
        contentType: 'text/event-stream',
        streaming: true,
        mcpSessionId: null,
        position: null,
      });
      for (const chunk of chunks) await answer.write(Buffer.from(chunk));
      return { position: null, fallbackAgentId: null };
    });
    const warnings: Error[] = [];
    const keep = (warning: Error): void => void warnings.push(warning);
    process.on('warning', keep);
    onTestFinished(() => void process.off('warning', keep));
    const streamed: string[] = [];
    const result = await invoke({ authorization: `Bearer ${agentKey}` })(
      callRoute,
      { body: { caller_agent_id: 'caller', agent_id: 'receiver', message: { method: 'message/stream' } } },
      never,
      async (piece) => void streamed.push(Buffer.from(piece).toString()),
    );
    expect(result).toMatchObject({ status: 200, body: chunks.join('') });
    expect(streamed.join('')).toBe(chunks.join(''));
    // Warnings are emitted in the next turn.
    await setImmediate();
    expect(warnings.filter(({ name }) => name === 'MaxListenersExceededWarning')).toEqual([]);
  });
});

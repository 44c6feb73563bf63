/**
 * A client that trusts the OpenAPI document may put Prism's own proxy in front of the registry. A tour of the registry, as the document
 * describes it, goes through Prism's server, which also checks the requests, and must find no violation in either direction.
 */
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';
import { waitFor } from '@agent-trust/test-kit';
import { beforeAll, expect, it } from 'vitest';
import { adminKey, type Answer, ask, type Body, get, stack, tokenOf } from '../support/ask.ts';
import { silentLogger } from '../support/openapi/prism.ts';
import { type RecordingAgent, startRecordingAgent } from '../support/recording-agent.ts';
import { bearer, orgKey, textMessage, unique } from '../support/registry.ts';

let prismUrl: string;
let agent: RecordingAgent;
beforeAll(async () => {
  const document = (await get('/openapi.json')).body;
  const server = createServer(await getHttpOperationsFromSpec(document), {
    components: { logger: silentLogger },
    cors: false,
    config: {
      isProxy: true,
      upstream: new URL(stack.urls[0] ?? ''),
      upstreamProxy: undefined,
      validateRequest: true,
      validateResponse: true,
      checkSecurity: true,
      errors: false,
      mock: { dynamic: false },
    },
  });
  prismUrl = await server.listen(0, '127.0.0.1');
  agent = await startRecordingAgent();
  return async () => {
    await server.close();
    await agent.stop();
  };
});

/** Violations that Prism has found in requests and answers so far. */
const violations: string[] = [];
const step = async (method: string, path: string, status: number, options: Body = {}): Promise<Answer> => {
  const answer = await ask(method, path, { gateway: prismUrl, ...options });
  expect([path, answer.status, answer.text]).toEqual([path, status, answer.text]);
  const found = answer.headers.get('sl-violations');
  if (found !== null) violations.push(`${method} ${path} ${answer.status}: ${found}`);
  return answer;
};

it('reports no violation from the first key to a reviewed call', async () => {
  const org = await step('POST', '/org/create-key', 201, {
    headers: adminKey,
    body: { org_name: unique('org'), contact_email: 'ops@org.example' },
  });
  const key = orgKey(String(org.body['api_key']));
  const join = async (fields: Body): Promise<{ agentId: string; auth: Record<string, string> }> => {
    const agentId = unique('walker');
    const body = { agent_id: agentId, specialty: 'Walks', ...fields };
    const registered = await step('POST', '/register', 201, { headers: key, body });
    const token = encodeURIComponent(tokenOf(registered.body['claim_link']));
    const claimed = await step('GET', `/rotate?token=${token}`, 200);
    return { agentId, auth: bearer(String(claimed.body['agent_key'])) };
  };
  const caller = await join({});
  const receiver = await join({ endpoint_url: agent.url, http_methods: ['POST'] });
  const agent_id = receiver.agentId;

  // On a busy machine a part may answer too late to be called well.
  await waitFor(() => step('GET', '/health', 200));
  await step('POST', '/verify', 200, { body: { agent_id } });
  await step('POST', '/verify', 404, { body: { agent_id: unique('nobody') } });
  await step('POST', '/match', 200, { body: { required_capabilities: ['translation'], limit: 3 } });
  await step('GET', '/registry?limit=2&offset=1', 200);
  await step('GET', `/agent/${agent_id}`, 200);
  await step('POST', '/update', 200, { headers: receiver.auth, body: { agent_id, specialty: 'Runs' } });
  const called = await step('POST', '/call', 200, {
    headers: caller.auth,
    body: { caller_agent_id: caller.agentId, agent_id, message: textMessage('hello') },
  });
  // Agents of one organisation cannot review each other.
  await step('POST', '/review', 403, {
    headers: caller.auth,
    body: {
      transaction_id: called.body['transaction_id'],
      caller_agent_id: caller.agentId,
      receiver_agent_id: agent_id,
      success: true,
      score: 9,
    },
  });
  await step('GET', '/org/whoami', 200, { headers: key });
  await step('GET', '/org/agents', 200, { headers: key, owner: true });
  await step('GET', '/org/payments', 200, { headers: key });
  await step('GET', '/.well-known/agent.json', 200);
  expect(violations).toEqual([]);
});

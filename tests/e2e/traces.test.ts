/** One trace follows a call: gateway, bus, call-proxy, both appends, the agent's request and the projection of both events. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { waitFor } from '@agent-trust/test-kit';
import { expect, it } from 'vitest';
import { call, createOrg, get, join, stack, wellHealth } from '../support/ask.ts';
import { startRecordingAgent } from '../support/recording-agent.ts';
import { textMessage } from '../support/registry.ts';

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } };
type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Attribute[];
  links?: { traceId: string }[];
  service: string;
};
type Export = {
  resourceSpans?: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: Omit<Span, 'service'>[] }[];
  }[];
};

const attributeOf = (attributes: Attribute[], key: string): string | undefined => {
  const value = attributes.find((attribute) => attribute.key === key)?.value;
  return value?.stringValue ?? (value?.intValue === undefined ? undefined : String(value.intValue));
};

/** The spans in the exports that have a text in them. */
const spansIn = (text: string): Span[] => {
  if (!existsSync(stack.tracesFile)) return [];
  const lines = readFileSync(stack.tracesFile, 'utf8').split('\n');
  return lines
    .filter((line) => line.includes(text))
    .flatMap((line) => (JSON.parse(line) as Export).resourceSpans ?? [])
    .flatMap(({ resource, scopeSpans }) =>
      scopeSpans.flatMap(({ spans }) =>
        spans.map((span) => ({ ...span, service: attributeOf(resource.attributes, 'service.name') ?? '' })),
      ),
    );
};

/** The spans of a trace, and those that link to it. */
const spansOf = (traceId: string): Span[] =>
  spansIn(traceId).filter(
    (span) => span.traceId === traceId || span.links?.some((link) => link.traceId === traceId) === true,
  );

const newTrace = (): { traceId: string; headers: Record<string, string> } => {
  const traceId = randomBytes(16).toString('hex');
  return { traceId, headers: { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` } };
};

it('a call is one trace, from the gateway to the agent and the projection of its events', async () => {
  const org = await createOrg();
  const caller = await join(org.key);
  const agent = await startRecordingAgent();
  const { agentId } = await join({}, { endpoint_url: agent.url });
  const { traceId, headers } = newTrace();
  const answer = await call({ ...caller, auth: { ...caller.auth, ...headers } }, agentId, textMessage('hello'));
  await agent.stop();
  expect(answer.status).toBe(200);
  const transactionId = String(answer.body['transaction_id']);

  const isProjected = (span: Span): boolean => span.name === 'project events';
  const expected = [
    'gateway: POST /call',
    'gateway: call-proxy/execute_call',
    'call-proxy: call-proxy/execute_call',
    'call-proxy: POST',
    'trust-projection: project events',
  ];
  const named = ({ service, name }: Span): string => `${service}: ${name}`;
  // Each service exports its spans at its own time. The read models and the index of the log are projected apart.
  const spans = await waitFor(() => {
    const found = spansOf(traceId);
    const names = found.map(named);
    return found.filter(isProjected).length >= 2 && expected.every((name) => names.includes(name)) ? found : null;
  });
  expect(spans.map(named).filter((name) => name === 'call-proxy: event_log.append')).toHaveLength(2);

  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const ancestorsOf = (span: Span): string[] => {
    const parent = byId.get(span.parentSpanId ?? '');
    return parent === undefined ? [] : [`${parent.service}: ${parent.name}`, ...ancestorsOf(parent)];
  };
  const request = spans.find(({ service, name }) => service === 'call-proxy' && name === 'POST');
  if (request === undefined) throw new Error('no span of the request to the agent');
  expect(ancestorsOf(request)).toEqual([
    'call-proxy: call-proxy/execute_call',
    'gateway: call-proxy/execute_call',
    'gateway: POST /call',
  ]);
  // The agent continues the trace, and can name the exchange.
  expect(agent.received).toHaveLength(1);
  expect(agent.last().headers).toMatchObject({
    traceparent: `00-${traceId}-${request.spanId}-01`,
    'x-registry-transaction-id': transactionId,
  });
  // Where the agent is stays with the proxies and its owner.
  expect(JSON.stringify(spans)).not.toContain(new URL(agent.url).host);

  const root = spans.find(({ name }) => name === 'POST /call');
  const shown = ['http.route', 'url.path', 'url.scheme', 'server.address', 'http.response.status_code'];
  expect(shown.map((key) => attributeOf(root?.attributes ?? [], key))).toEqual([
    '/call',
    '/call',
    'http',
    '127.0.0.1',
    '200',
  ]);
  const served = spans.find(({ service, name }) => service === 'call-proxy' && name === 'call-proxy/execute_call');
  expect(attributeOf(served?.attributes ?? [], 'registry.transaction_id')).toBe(transactionId);
  const projected = spans.filter(isProjected);
  expect(projected.map(({ service }) => service)).toEqual(projected.map(() => 'trust-projection'));
  expect(projected.every(({ links }) => (links ?? []).some((link) => link.traceId === traceId))).toBe(true);
});

it('what is answered from memory, a query and its statements are traced; a health poll is not', async () => {
  const org = await createOrg();
  const { agentId } = await join(org.key);
  const [polled, listed, held] = [newTrace(), newTrace(), newTrace()];
  expect((await wellHealth(polled.headers)).status).toBe(200);
  for (let asked = 0; asked < 3; asked++) await get(`/agent/${agentId}`);
  expect((await get(`/agent/${agentId}`, held.headers)).status).toBe(200);
  expect((await get('/registry?limit=1', listed.headers)).status).toBe(200);
  const names = await waitFor(() => {
    const found = spansOf(listed.traceId).map(({ name }) => name);
    return found.includes('GET /registry') && found.some((name) => name.startsWith('SELECT ')) ? found : null;
  });
  expect(names).toContain('GET /registry');
  await waitFor(() => spansOf(held.traceId).some(({ name }) => name === 'GET /agent/:agent_id'));
  // Spans are exported in order: those of an earlier request would be there.
  expect(spansOf(polled.traceId)).toEqual([]);
});

it('what a service does by itself is not traced: a search for overdue exchanges, a look at the log', async () => {
  const byThemselves = ['trust-projection/list_overdue_exchanges', 'trust-projection/get_log_state'];
  const targets = (await (await fetch(stack.metricsUrl)).json()) as { service: string; url: string }[];
  const shown = async (): Promise<string> => {
    const pages = targets.map(async ({ url }) => (await fetch(url)).text());
    return (await Promise.all(pages)).join('\n');
  };
  await waitFor(async () => {
    const metrics = await shown();
    return byThemselves.every((method) => metrics.includes(`rpc_method="${method}"`));
  });
  const { traceId, headers } = newTrace();
  expect((await get('/registry?limit=1', headers)).status).toBe(200);
  // Spans are exported in order: those of what was done earlier would be there.
  await waitFor(() => spansOf(traceId).some(({ name }) => name.startsWith('SELECT ')));
  const traced = new Set(spansIn('scopeSpans').map(({ name }) => name));
  expect(traced).toContain('trust-projection/list_registry');
  for (const method of byThemselves) expect(traced).not.toContain(method);
});

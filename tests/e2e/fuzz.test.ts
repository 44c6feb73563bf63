import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { runs } from '@agent-trust/test-kit/runs';
import { Agent, request } from 'undici';
import { beforeAll, expect, it } from 'vitest';
import { seededRandom } from '@agent-trust/test-kit/seeded-random';
import {
  adminKey,
  adminToken,
  bareGateway,
  type Body,
  checkAnswer,
  createOrg,
  gateways,
  isForOwner,
  join,
  processes,
  wellHealth,
} from '../support/ask.ts';
import { type FuzzRequest, fuzzRequests, type Known } from '../support/fuzz-requests.ts';
import { type RecordingAgent, startRecordingAgent } from '../support/recording-agent.ts';

const requestCount = runs(700, 5_000);
const atOnce = 16;
/** How often in a row a request may be answered 503 with Retry-After. */
const busyMax = 5;
/** A failing run prints its seed; `FUZZ_SEED=… npm test -- fuzz` repeats the same requests. */
const seed = Number(process.env['FUZZ_SEED'] ?? 20_260_101);

let endpoint: RecordingAgent;
let known: Known;
beforeAll(async () => {
  endpoint = await startRecordingAgent();
  const [org, other] = [await createOrg(), await createOrg()];
  const fields = { endpoint_url: endpoint.url };
  const members = [
    await join(org.key, fields),
    await join(org.sandboxKey, fields),
    await join(other.key, { ...fields, message_protocol: 'mcp' }),
    await join(other.key, { ...fields, message_protocol: 'raw' }),
    await join({}, { ...fields, a2a_compliant: true }),
    await join({}, { ...fields, http_methods: ['GET'] }),
    await join(),
  ];
  known = {
    members,
    owners: [{}, adminToken, org.key, org.sandboxKey],
    headers: [{}, {}, adminKey, adminToken, org.key, org.sandboxKey, other.key, ...members.map(({ auth }) => auth)],
    endpointUrl: endpoint.url,
  };
  return () => endpoint.stop();
});

/** Statuses that no input may cause. 502 is legitimate for a call whose agent is unreachable. */
const isAllowed = (status: number, path: string): boolean =>
  status < 500 || (status === 502 && path.startsWith('/call'));

/** By node's own client, because undici sends no Expect; without the proxy that checks answers, whose server answers it itself. */
const sendExpecting = (expectation: string, { method, path, headers, body }: FuzzRequest): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { method, path, headers: { ...headers, ...length, expect: expectation }, agent: false };
    const sent = httpRequest(bareGateway, options, (answer) => {
      text(answer).then(
        (said) => resolve({ status: answer.statusCode ?? 0, text: said, headers: answer.headers }),
        reject,
      );
    });
    sent.on('error', reject).end(body ?? undefined);
  });
type Answered = { status: number; text: string; headers: IncomingHttpHeaders };

it('no request with an expectation that nobody meets is carried out', async () => {
  const next = fuzzRequests(seededRandom(seed), known);
  let refused = 0;
  while (refused < 100) {
    const request = next();
    // Node's client refuses to send some headers.
    if (Object.values(request.headers).some((value) => /[^\t\x20-\x7e]/u.test(value))) continue;
    const answer = await sendExpecting('something else', request);
    const { code } = (request.method === 'HEAD' ? { code: 'expectation_failed' } : JSON.parse(answer.text)) as Body;
    expect([answer.status, code, answer.headers['x-request-id']]).toEqual([
      417,
      'expectation_failed',
      expect.any(String),
    ]);
    refused += 1;
  }
});

it(`${requestCount} random requests over all routes cause no 5xx and no crash`, async () => {
  const next = fuzzRequests(seededRandom(seed), known);
  const dispatcher = new Agent({ pipelining: 1, connections: atOnce });
  const statuses: Record<string, number> = {};
  const faults: string[] = [];
  let sent = 0;
  const work = async (): Promise<void> => {
    while (sent < requestCount && faults.length < 5) {
      sent += 1;
      const { method, path, headers, body } = next();
      const origin = gateways[sent % 2] ?? '';
      const at = `request ${sent} of seed ${seed}: ${method} ${path.slice(0, 300)} ${JSON.stringify(headers)} ${String(body).slice(0, 1_000)}`;
      try {
        const send = () =>
          request(`${origin}/`, { method, path, headers, body, dispatcher } as Parameters<typeof request>[1]);
        let answer = await send();
        let said = await answer.body.text();
        // A busy registry may ask for a moment; then it is not the input that causes it.
        for (let again = 0; again < busyMax && answer.statusCode === 503; again += 1) {
          const seconds = Number(answer.headers['retry-after'] ?? Number.NaN);
          if (!(seconds > 0)) break;
          await delay(seconds * 1_000);
          answer = await send();
          said = await answer.body.text();
        }
        statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1;
        if (!isAllowed(answer.statusCode, path)) faults.push(`${at}\n→ ${answer.statusCode} ${said.slice(0, 500)}`);
        const seen = new Headers(
          Object.entries(answer.headers).flatMap(([name, value]) =>
            value === undefined ? [] : [[name, String(value)] as [string, string]],
          ),
        );
        const { statusCode: status } = answer;
        // MCP has errors of its own form.
        if (!path.startsWith('/mcp'))
          checkAnswer(method, path, { status, text: said, headers: seen }, isForOwner(method, path));
      } catch (error) {
        faults.push(`${at}\n→ ${String(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  await dispatcher.close();
  expect(faults).toEqual([]);
  // Some requests passed the first checks: there were successes and many kinds of refusals.
  for (const status of [200, 201, 400, 401, 403, 404, 405, 409, 415, 422])
    expect(statuses).toHaveProperty(String(status));
  expect((await processes()).filter(({ restarts }) => restarts > 0)).toEqual([]);
  for (const gateway of gateways) expect((await wellHealth({}, gateway)).body['status']).toBe('ok');
});

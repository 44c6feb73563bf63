/**
 * Bug: the registry speaks a dialect of A2A that only its own tests understand. Method: servers built with the A2A SDK's 0.2, 0.3 and 1.0
 * lines, each supporting no other line, are called with the one envelope of the registry.
 */
import type { RunningAgent } from '@agent-trust/dev-stack/demo-agents';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Body,
  call,
  checkAnswer,
  createOrg,
  gateways,
  join,
  type Member,
  review,
  verify,
} from '../support/ask.ts';
import { startA2a02Agent } from '../support/sdk-agents/a2a-0.2.ts';
import { startA2a03Agent } from '../support/sdk-agents/a2a-0.3.ts';
import { startA2a10Agent } from '../support/sdk-agents/a2a-1.0.ts';

let caller: Member;
beforeAll(async () => {
  caller = await join((await createOrg()).key);
});

const text = (content: string): Body => ({ kind: 'text', content_type: 'text/plain', content });
const message = (parts: Body[], more: Body = {}): Body => ({ role: 'user', parts, ...more });
const envelope = (sent: Body, method = 'message/send', more: Body = {}): Body => ({
  jsonrpc: '2.0',
  id: 7,
  method,
  params: { message: sent, ...more },
});

/** A streamed call: its transaction and the data of its events. */
const stream = async (agentId: string, sent: Body): Promise<{ transactionId: string; events: Body[] }> => {
  const response = await fetch(`${gateways[0]}/call`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...caller.auth },
    body: JSON.stringify({
      caller_agent_id: caller.agentId,
      agent_id: agentId,
      message: envelope(sent, 'message/stream'),
    }),
  });
  const received = await response.text();
  checkAnswer('POST', '/call', { status: response.status, text: received, headers: response.headers });
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/u);
  const events = received
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => JSON.parse(line.slice('data:'.length)) as Body);
  return { transactionId: String(response.headers.get('x-registry-transaction-id')), events };
};

/** The differences between the lines in the answers; the agents behind them behave alike. */
const lines = [
  {
    line: '0.2',
    start: startA2a02Agent,
    completed: 'completed',
    inputRequired: 'input-required',
    understood: [
      ['text', 'héllo'],
      ['data', { n: 1 }],
      ['file', { mimeType: 'image/png', bytes: 'aGk=' }],
      ['file', { mimeType: 'image/png', uri: 'https://files.example/a.png' }],
    ],
  },
  {
    line: '0.3',
    start: startA2a03Agent,
    completed: 'completed',
    inputRequired: 'input-required',
    understood: [
      ['text', 'héllo'],
      ['data', { n: 1 }],
      ['file', { mimeType: 'image/png', bytes: 'aGk=' }],
      ['file', { mimeType: 'image/png', uri: 'https://files.example/a.png' }],
    ],
  },
  {
    line: '1.0',
    start: startA2a10Agent,
    completed: 'TASK_STATE_COMPLETED',
    inputRequired: 'TASK_STATE_INPUT_REQUIRED',
    understood: [
      ['text', 'héllo'],
      ['data', { n: 1 }],
      ['raw', 'aGk='],
      ['url', 'https://files.example/a.png'],
    ],
  },
];

describe.each(lines)('a server of the $line line', ({ start, completed, inputRequired, understood }) => {
  let agent: RunningAgent;
  beforeAll(async () => {
    agent = await start();
    return () => agent.stop();
  });
  const target = async (): Promise<string> =>
    (await join({}, { endpoint_url: agent.url, a2a_compliant: true })).agentId;
  /** The result of a JSON-RPC answer; 1.0 wraps it in a member that names its type. */
  const resultOf = (answer: unknown): Body => {
    const { result, error } = answer as { result?: Body; error?: Body };
    if (result === undefined) throw new Error(`no result: ${JSON.stringify(error ?? answer)}`);
    return (result['task'] ??
      result['message'] ??
      result['statusUpdate'] ??
      result['artifactUpdate'] ??
      result) as Body;
  };
  const stateOf = (answer: unknown): unknown => (resultOf(answer)['status'] as Body | undefined)?.['state'];

  it('understands every kind of part, and each call is one exchange', async () => {
    const agentId = await target();
    const parts = [
      text('héllo'),
      { kind: 'data', content_type: 'application/json', content: { n: 1 } },
      { kind: 'file', content_type: 'image/png', content: 'aGk=' },
      { kind: 'file', content_type: 'image/png', content: 'https://files.example/a.png' },
    ];
    for (const round of [1, 2]) {
      const { status, body } = await call(caller, agentId, envelope(message(parts)));
      expect([status, body['status_code']]).toEqual([200, 200]);
      expect(body['body']).toMatchObject({ jsonrpc: '2.0', id: 7 });
      const [answered] = resultOf(body['body'])['parts'] as { text: string }[];
      expect(JSON.parse(answered?.text ?? '')).toEqual(understood);
      expect((await verify(agentId)).body['transaction_count']).toBe(round);
    }
  });

  it('answers with a task, and continues it when the next message names it', async () => {
    const agentId = await target();
    const done = await call(caller, agentId, envelope(message([text('task')])));
    expect(stateOf(done.body['body'])).toBe(completed);
    expect(JSON.stringify(done.body['body'])).toContain('the result');

    const question = await call(caller, agentId, envelope(message([text('ask')])));
    expect(stateOf(question.body['body'])).toBe(inputRequired);
    const { id: taskId, contextId } = resultOf(question.body['body']);
    const answered = await call(caller, agentId, envelope(message([text('more')], { taskId, contextId })));
    expect(resultOf(answered.body['body'])).toMatchObject({ id: taskId, contextId, status: { state: completed } });
  });

  it('streams its steps as events, in order, and the exchange can be reviewed', async () => {
    const agentId = await target();
    // The first call may be the one that detects the server's version.
    for (const round of [1, 2]) {
      const { transactionId, events } = await stream(agentId, message([text('steps')]));
      expect(events).toHaveLength(4);
      expect(events.every(({ id }) => id === 7)).toBe(true);
      const taskIds = events.map((event) => resultOf(event)['id'] ?? resultOf(event)['taskId']);
      expect(new Set(taskIds).size).toBe(1);
      expect(JSON.stringify(events[2])).toContain('the result');
      expect(stateOf(events[3])).toBe(completed);
      expect((await review(caller, agentId, { transaction_id: transactionId })).status).toBe(200);
      expect((await verify(agentId)).body['transaction_count']).toBe(round);
    }
  });

  it('its errors are passed on, unary and streamed', async () => {
    const agentId = await target();
    const lost = message([text('more')], { taskId: 'no-such-task' });
    const { status, body } = await call(caller, agentId, envelope(lost));
    expect([status, body['status_code']]).toEqual([200, 200]);
    expect(body['body']).toMatchObject({ error: { code: -32_001 } });
    expect((await stream(agentId, lost)).events.at(-1)).toMatchObject({ error: { code: -32_001 } });
    const failed = await call(caller, agentId, envelope(message([text('fail')])));
    expect(JSON.stringify(failed.body['body'])).toMatch(/failed|TASK_STATE_FAILED|error/u);
  });
});

it('a server of the 1.0 line gets its own parameter for a caller that does not wait', async () => {
  const agent = await startA2a10Agent();
  const { agentId } = await join({}, { endpoint_url: agent.url, a2a_compliant: true });
  const sent = envelope(message([text('never')]), 'message/send', { configuration: { blocking: false } });
  const { body } = await call(caller, agentId, sent);
  expect(body['body']).toMatchObject({ result: { task: { status: { state: 'TASK_STATE_SUBMITTED' } } } });
  await agent.stop();
});

import { describe, expect, it } from 'vitest';
import type { RouteResult } from '../invoke-route.ts';
import { createEventTeller } from './streamed-answer.ts';
import { runWith } from './testing/run-with.ts';

describe('a stream of events', () => {
  const stream = (body: string, headers: Record<string, string> = {}): RouteResult => ({
    status: 200,
    headers: { 'content-type': 'text/event-stream', 'x-registry-transaction-id': 't', ...headers },
    body,
  });

  it('becomes a call response', async () => {
    const events = ': hello\n\nevent: a\nid: 1\ndata: {"n":\ndata: 1}\n\ndata: text\r\n\r\nretry: 5\n\n';
    const { body } = await runWith('call_agent', { agent_id: 'a' }, stream(events, { 'mcp-session-id': 's' }));
    expect(body).toMatchObject({
      agent_id: 'a',
      transaction_id: 't',
      status_code: 200,
      body: [{ event: 'a', id: '1', data: { n: 1 } }, { data: 'text' }],
      mcp_session_id: 's',
      next_step: null,
    });
  });

  it('contains events as text if they are nested too deeply to be parsed, and reports them', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const { body, result } = await runWith('call_agent', { agent_id: 'a' }, stream(`data: ${deep}\n\n`));
    expect([result.isError, body['body']]).toEqual([undefined, [{ data: deep }]]);
    const reported: string[] = [];
    const watch = createEventTeller((_progress, message) => {
      reported.push(message);
      return Promise.resolve();
    });
    await watch(Buffer.from(`data: ${deep}\n\n`));
    expect(reported).toEqual([deep.slice(0, 16 * 1024)]);
  });

  it('contains the payment data of its headers', async () => {
    const headers = {
      'x-registry-status-code': '402',
      'x-registry-pay-via': 'http://x/pay/a',
      'payment-required': 'e30=',
    };
    const { body } = await runWith('call_agent', { agent_id: 'a' }, stream('', headers));
    expect(body).toMatchObject({
      status_code: 402,
      body: [],
      pay_via: 'http://x/pay/a',
      response_headers: { 'payment-required': 'e30=' },
    });
  });

  it('is reported event by event, however it is split', async () => {
    const reported: [number, string][] = [];
    const watch = createEventTeller((progress, message) => {
      reported.push([progress, message]);
      return Promise.resolve();
    });
    const bytes = Buffer.from('data: é1\n\n: no event\n\ndata: {"a":2}\n\ndata: never whole');
    for (const byte of bytes) await watch(Buffer.of(byte));
    expect(reported).toEqual([
      [1, 'é1'],
      [2, '{"a":2}'],
    ]);
  });

  it('is reported in part if an event is long, and no more if it is endless', async () => {
    const reported: string[] = [];
    const watch = createEventTeller((_progress, message) => {
      reported.push(message);
      return Promise.resolve();
    });
    await watch(Buffer.from(`data: ${'x'.repeat(100_000)}\n\n`));
    await watch(Buffer.from(`data: ${'y'.repeat(2_000_000)}`));
    await watch(Buffer.from('\n\ndata: z\n\n'));
    expect(reported.map((message) => message.length)).toEqual([16 * 1024]);
  });
});

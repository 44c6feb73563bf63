import { describe, expect, it } from 'vitest';
import { runTool } from './run-tool.ts';
import { context, runWith, toolOf } from './testing/run-with.ts';

describe('arguments become a request', () => {
  it.each([
    ['get_agent', { agent_id: 'a/b' }, { params: { agent_id: 'a/b' }, query: {} }],
    ['get_agent', { agent_id: 'a', as_of: '7' }, { params: { agent_id: 'a' }, query: { as_of: '7' } }],
    ['list_registry', { limit: 5, offset: '10', other: 1 }, { query: { limit: '5', offset: '10' } }],
    ['match_agents', { capabilities: ['ocr'] }, { body: { required_capabilities: ['ocr'] } }],
    ['match_agents', {}, { body: {} }],
    ['claim_bearer_key', { claim_link: 'http://x/rotate?token=a.b%3D' }, { query: { token: 'a.b=' } }],
    [
      'call_agent',
      { agent_id: 'a', message: { n: 1 }, idempotency_key: 'k', x_payment: 'p', mcp_session_id: 's' },
      {
        body: { agent_id: 'a', message: { n: 1 } },
        headers: { 'idempotency-key': 'k', 'x-payment': 'p', 'mcp-session-id': 's' },
      },
    ],
    ['update_agent', { agent_id: 'a', specialty: null }, { body: { agent_id: 'a', specialty: null } }],
  ])('%s %j', async (name, given, request) => {
    expect((await runWith(name, given)).asked).toEqual([request]);
  });

  it.each([
    ['get_agent', {}, 'agent_id'],
    ['get_agent', { agent_id: 5 }, 'agent_id'],
    ['get_agent', { agent_id: '' }, 'agent_id'],
    ['list_registry', { limit: 0 }, 'limit'],
    ['list_registry', { limit: true }, 'limit'],
    ['list_registry', { limit: [5] }, 'limit'],
    ['claim_bearer_key', {}, 'token'],
    ['claim_bearer_key', { claim_link: 'no link' }, 'claim_link'],
    ['match_agents', { capabilities: 'ocr' }, 'capabilities'],
    ['register_agent', { agent_id: 'a', idempotency_key: 5 }, 'idempotency_key'],
    ['call_agent', { x_payment: 'a\r\nb: c' }, 'x_payment'],
  ])('%s refuses %j and calls no route', async (name, given, place) => {
    const { asked, result, body } = await runWith(name, given);
    expect([asked, result.isError]).toEqual([[], true]);
    expect(body).toMatchObject({
      code: 'validation_failed',
      request_id: 'request-1',
      detail: [{ loc: ['arguments', place] }],
    });
  });
});

describe('an answer becomes a result', () => {
  it('unchanged, structured and as text', async () => {
    const { result } = await runWith('verify_agent', { agent_id: 'a' });
    expect(result).toEqual({ content: [{ type: 'text', text: '{"ok":true}' }], structuredContent: { ok: true } });
  });

  it('a question about capabilities is not a refusal', async () => {
    const question = { status: 'capability_confirmation_required' };
    const { result } = await runWith('register_agent', { agent_id: 'a' }, { status: 202, headers: {}, body: question });
    expect([result.isError, result.structuredContent]).toEqual([undefined, question]);
  });

  it.each([
    ['<http://x/registry?limit=2&offset=2>; rel="next"', 2],
    ['<http://x/registry?limit=2&offset=0>; rel="prev", <http://x/registry?limit=2&offset=4>; rel="next"', 4],
    ['<http://x/registry?limit=2&offset=0>; rel="prev"', null],
    [undefined, null],
  ])('a page names the next one: %s', async (link, next) => {
    const headers = { 'x-total-count': '9', ...(link === undefined ? {} : { link }) };
    const { body } = await runWith('list_registry', {}, { status: 200, headers, body: [1, 2] });
    expect(body).toEqual({ result: [1, 2], total: 9, next_offset: next });
  });

  it('an object with pages names the next one beside its fields', async () => {
    const headers = { 'x-total-count': '9', link: '<http://x/organisation/o/record?limit=2&offset=2>; rel="next"' };
    const { body } = await runWith(
      'get_organisation_record',
      { org_id: 'o' },
      { status: 200, headers, body: { record: 75 } },
    );
    expect(body).toEqual({ record: 75, total: 9, next_offset: 2 });
  });

  it('only a list without pages is wrapped', async () => {
    expect((await runWith('match_agents', { org_name: 'a' }, { status: 200, headers: {}, body: [] })).body).toEqual({
      result: [],
    });
  });

  it('a refusal is located at the arguments', async () => {
    const item = (...loc: (string | number)[]) => ({ loc, msg: 'm', type: 't' });
    const detail = [
      item('body', 'message', 'params', 0),
      item('header', 'idempotency-key'),
      item('header', 'other'),
      item('body'),
    ];
    const { result, body } = await runWith(
      'call_agent',
      {},
      { status: 422, headers: {}, body: { detail, code: 'invalid_message', request_id: 'r' } },
    );
    expect(result.isError).toBe(true);
    expect(body).toEqual({
      detail: [
        item('arguments', 'message', 'params', 0),
        item('arguments', 'idempotency_key'),
        item('arguments', 'other'),
        item('arguments'),
      ],
      code: 'invalid_message',
      request_id: 'r',
    });
  });

  it('a refusal in words is unchanged, and says when to retry', async () => {
    const refused = { detail: 'too many', code: 'rate_limited', request_id: 'r' };
    const { body } = await runWith(
      'rotate_agent_key',
      { agent_id: 'a' },
      { status: 429, headers: { 'retry-after': '7' }, body: refused },
    );
    expect(body).toEqual({ ...refused, retry_after_seconds: 7 });
  });

  it('a cancelled call has no result', async () => {
    const controller = new AbortController();
    controller.abort(new Error('the client left'));
    const running = runTool(toolOf('verify_agent'), {}, { ...context, signal: controller.signal });
    await expect(running).rejects.toThrow('the client left');
  });

  it('an unexpected error shows only its request id, and is logged', async () => {
    const logged: object[] = [];
    const result = await runTool(
      toolOf('verify_agent'),
      {},
      { ...context, logger: { error: (line) => logged.push(line) } },
    );
    expect(result.structuredContent).toMatchObject({ code: 'internal', request_id: 'request-1' });
    expect(JSON.stringify(result)).not.toContain('nothing is asked');
    expect(logged).toMatchObject([{ request_id: 'request-1' }]);
  });
});

import { limits } from '@agent-trust/contracts';
import { outboundLimits } from '@agent-trust/safe-fetch';
import { describe, expect, it } from 'vitest';
import { payLimits } from './limits.ts';
import { queryForAgent, sentBody, sentHeaders, targetUrl } from './sent-request.ts';

describe('the query', () => {
  it.each([
    ['', ''],
    ['call_ref=x', ''],
    ['a=1&call_ref=x&b=%20+&caller_agent_id=', 'a=1&b=%20+'],
    ['call%5Fref=x&%63all_ref&a', 'a'],
    ['call_reference=x&Call_ref=y&%zz=1', 'call_reference=x&Call_ref=y&%zz=1'],
  ])('%j becomes %j for the agent', (query, expected) => expect(queryForAgent(query)).toBe(expected));

  it.each([
    ['https://a.test/x', '', 'https://a.test/x'],
    ['https://a.test/x', 'b=1', 'https://a.test/x?b=1'],
    ['https://a.test/x?a=%20', 'b=1', 'https://a.test/x?a=%20&b=1'],
    ['https://a.test', 'b=1#c', 'https://a.test/?b=1%23c'],
  ])('of %s and %j is %s', (endpoint, query, expected) => expect(targetUrl(endpoint, query)).toBe(expected));

  it('is refused if no address can hold it', () => {
    const room = outboundLimits.urlCharactersMax - 'https://a.test/?'.length;
    expect(targetUrl('https://a.test/', 'x'.repeat(room))).toHaveLength(outboundLimits.urlCharactersMax);
    expect(() => targetUrl('https://a.test/', 'x'.repeat(room + 1))).toThrow('too long');
  });
});

describe('the headers', () => {
  it('that a Connection header names are dropped, except those of payments', () => {
    const headers = {
      connection: 'close, X-Hop, x-payment',
      'x-hop': '1',
      'x-payment': 'p',
      'payment-signature': 's',
      accept: '*/*',
    };
    expect(sentHeaders(headers)).toEqual({ 'x-payment': 'p', 'payment-signature': 's', accept: '*/*' });
  });

  it('with a key of the registry are dropped, whatever their name', () => {
    const key = `REGISTRY-agent-sk-${'A'.repeat(43)}`;
    expect(sentHeaders({ authorization: `Bearer ${key}`, 'x-payment': key, 'x-api-key': 'of-the-agent' })).toEqual({
      'x-api-key': 'of-the-agent',
    });
    expect(
      sentHeaders({
        'x-coded': key.replaceAll('-', '%2d'),
        'x-basic': `Basic ${Buffer.from(`me:${key}`).toString('base64')}`,
        'payment-signature': Buffer.from(JSON.stringify({ payload: { key } })).toString('base64'),
        [key.toLowerCase()]: '1',
        'x-payment': Buffer.from('{"payload":{"signature":"0x1"}}').toString('base64'),
      }),
    ).toEqual({ 'x-payment': Buffer.from('{"payload":{"signature":"0x1"}}').toString('base64') });
  });
});

describe('the body', () => {
  async function* pieces(count: number, bytes: number): AsyncGenerator<Uint8Array> {
    for (let index = 0; index < count; index += 1) yield Buffer.alloc(bytes, 0x61);
  }
  const lengthOf = async (body: Uint8Array | AsyncIterable<Uint8Array>): Promise<number> => {
    if (body instanceof Uint8Array) return body.length;
    let bytes = 0;
    for await (const chunk of body) bytes += chunk.length;
    return bytes;
  };

  it('is sent in one piece if it is declared to be small, else as it arrives', async () => {
    const small = await sentBody(pieces(3, 5), '15', () => {});
    expect([small instanceof Uint8Array, await lengthOf(small)]).toEqual([true, 15]);
    for (const declared of [undefined, '', 'x', String(payLimits.wholeBodyBytesMax + 1)]) {
      const streamed = await sentBody(pieces(3, 5), declared === '' ? 'NaN' : declared, () => {});
      expect([streamed instanceof Uint8Array, await lengthOf(streamed)]).toEqual([false, 15]);
    }
  });

  it('never exceeds the limit, whatever its declared length', async () => {
    const piece = 1024 * 1024;
    const most = limits.callBodyBytesMax / piece;
    expect(await lengthOf(await sentBody(pieces(most, piece), undefined, () => {}))).toBe(limits.callBodyBytesMax);
    for (const declared of [undefined, '1']) {
      await expect(sentBody(pieces(most + 1, piece), declared, () => {}).then(lengthOf)).rejects.toMatchObject({
        code: 'payload_too_large',
      });
    }
  });

  it('reports when the payer has sent all of it', async () => {
    let reported = 0;
    await lengthOf(await sentBody(pieces(2, 1), undefined, () => void (reported += 1)));
    expect(reported).toBe(1);
  });
});

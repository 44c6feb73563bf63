import { describe, expect, it } from 'vitest';
import type { CallHead } from './call-response.ts';
import { streamHead } from './answer-events.ts';

const payVia = 'https://trust.test/pay/a?call_ref=t1';
const head = (responseHeaders: Record<string, string>): CallHead => ({
  transactionId: 't1',
  statusCode: 402,
  responseHeaders,
  contentType: 'text/event-stream',
  streaming: true,
  mcpSessionId: 's1',
  bodyBytes: null,
  position: null,
});

describe('the headers of a streamed answer', () => {
  it("contain the transaction, the session and the agent's status", () => {
    expect(streamHead(head({}), payVia)).toMatchObject({
      'x-registry-transaction-id': 't1',
      'x-registry-status-code': '402',
      'mcp-session-id': 's1',
      'x-registry-pay-via': payVia,
    });
    expect(streamHead(head({}), null)).not.toHaveProperty('x-registry-pay-via');
  });

  it('contain the payment demand, and no agent header with a name of the registry', () => {
    const headers = {
      'payment-required': 'e30=',
      'retry-after': '3',
      'content-type': 'text/html',
      etag: '"1"',
      'cache-control': 'public',
    };
    const shown = streamHead(head(headers), payVia);
    expect(shown).toMatchObject({ 'payment-required': 'e30=', 'retry-after': '3', 'cache-control': 'no-store' });
    expect(shown['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(shown).not.toHaveProperty('etag');
  });

  it('contain nothing that a client could not read', () => {
    expect(streamHead(head({ 'payment-required': 'e'.repeat(8_193) }), payVia)).not.toHaveProperty('payment-required');
    expect(streamHead(head({ 'www-authenticate': 'a\r\nb' }), payVia)).not.toHaveProperty('www-authenticate');
  });
});

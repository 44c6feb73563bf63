import { createRedaction } from '@agent-trust/x402';
import { describe, expect, it } from 'vitest';
import { headersForAgent, headersForCaller } from './headers.ts';

describe('forwarded headers', () => {
  it('are passed on with lower-case names', () => {
    expect(headersForAgent({ Authorization: 'Bearer theirs', 'X-Trace': '1', 'Accept-Language': 'de' })).toEqual({
      authorization: 'Bearer theirs',
      'x-trace': '1',
      'accept-language': 'de',
    });
  });

  it.each([
    'Connection',
    'Keep-Alive',
    'Transfer-Encoding',
    'TE',
    'Upgrade',
    'Proxy-Authorization',
    'Host',
    'Content-Length',
    'Content-Type',
    'Content-Digest',
    'X-Payment',
    'PAYMENT-SIGNATURE',
    'Mcp-Session-Id',
    'Cookie',
    'Signature',
    'Signature-Input',
    'Accept-Encoding',
    'X-Admin-Key',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'Forwarded',
    'X-Real-IP',
    'Via',
  ])('do not include %s', (name) => expect(headersForAgent({ [name]: 'x' })).toEqual({}));

  it('do not include those that a Connection header names', () => {
    expect(headersForAgent({ Connection: 'close, X-Hop', 'X-Hop': '1', 'X-End': '2' })).toEqual({ 'x-end': '2' });
  });

  it.each(['registry-agent-sk-', 'registry-org-sk-', 'registry-org-sandbox-sk-', 'REGISTRY-AGENT-SK-'])(
    'never contain a key that starts with %s',
    (prefix) => expect(headersForAgent({ Authorization: `Bearer ${prefix}abc`, 'X-A': `x ${prefix}` })).toEqual({}),
  );

  it.each([
    ['in Basic authentication', `Basic ${Buffer.from('me:registry-agent-sk-abc').toString('base64')}`],
    ['in base64url', Buffer.from('?>registry-org-sk-abc').toString('base64url')],
    ['percent-encoded', 'token=registry%2Dagent%2Dsk%2dabc'],
  ])('never contain a key %s', (_how, value) => expect(headersForAgent({ Authorization: value })).toEqual({}));

  it('contain other credentials, in any notation', () => {
    const basic = `Basic ${Buffer.from('registry:agent-sk and more').toString('base64')}`;
    expect(headersForAgent({ Authorization: basic, 'X-A': '100%' })).toEqual({
      authorization: basic,
      'x-a': '100%',
    });
    expect(headersForAgent({ 'registry-agent-sk-abc': 'x' })).toEqual({});
  });
});

describe('response headers', () => {
  const pay = 'https://registry.test/pay/agent';
  const redaction = createRedaction('https://hidden.example:8443/rpc', { base: pay, url: pay });

  it('that callers use are passed on', () => {
    expect(headersForCaller({ 'Content-Type': 'application/json', 'Retry-After': '3' }, redaction)).toEqual({
      'content-type': 'application/json',
      'retry-after': '3',
    });
  });

  it.each(['server', 'location', 'via', 'set-cookie', 'alt-svc', 'link', 'content-location', 'x-served-by'])(
    'like %s are dropped',
    (name) => expect(headersForCaller({ [name]: 'x' }, redaction)).toEqual({}),
  );

  it('that contain the host are dropped', () => {
    const challenge = 'Bearer resource_metadata="https://HIDDEN.example:8443/.well-known/x"';
    expect(headersForCaller({ 'WWW-Authenticate': challenge }, redaction)).toEqual({});
  });
});

import { describe, expect, it } from 'vitest';
import { hideEndpointInBody, hideEndpointInHeader } from './payment-demand.ts';
import { asOneEvent, isEventStream, isJson } from './server-sent-event.ts';

const bytes = (value: string): Uint8Array => new TextEncoder().encode(value);
const string = (value: Uint8Array | null): string | null => (value === null ? null : new TextDecoder().decode(value));

const endpoint = 'https://hidden.example:8443/rpc';
const payUrl = 'https://trust.test/pay/seller';

describe('a payment demand', () => {
  it('names the pay address instead of the endpoint in a v1 body', () => {
    const demand = {
      x402Version: 1,
      accepts: [{ resource: endpoint, payTo: '0xabc', description: 'at hidden.example' }],
    };
    expect(JSON.parse(string(hideEndpointInBody(bytes(JSON.stringify(demand)), endpoint, payUrl)) ?? '')).toEqual({
      x402Version: 1,
      accepts: [{ resource: payUrl, payTo: '0xabc', description: payUrl }],
    });
  });

  it('names the pay address instead of the endpoint in a v2 header', () => {
    const demand = { x402Version: 2, resource: { url: 'https://elsewhere.test/also', description: 'a quote' } };
    const header = hideEndpointInHeader(Buffer.from(JSON.stringify(demand)).toString('base64'), endpoint, payUrl);
    expect(JSON.parse(Buffer.from(header ?? '', 'base64').toString())).toEqual({
      x402Version: 2,
      resource: { url: payUrl, description: 'a quote' },
    });
  });

  it('that cannot be read is not shown', () => {
    expect(hideEndpointInBody(bytes('pay at hidden.example'), endpoint, payUrl)).toHaveLength(0);
    expect(string(hideEndpointInBody(bytes('Payment required'), endpoint, payUrl))).toBe('Payment required');
    expect(hideEndpointInHeader('%%%', endpoint, payUrl)).toBeNull();
  });
});

describe('media types', () => {
  it.each(['application/json', 'application/json; charset=utf-8', 'Application/Problem+JSON'])('%s is JSON', (type) =>
    expect(isJson(type)).toBe(true),
  );
  it.each(['text/json-ish', 'application/jsonx', null, ''])('%s is not', (type) => expect(isJson(type)).toBe(false));
  it('event streams are told with or without parameters', () => {
    expect([isEventStream('text/event-stream;charset=utf-8'), isEventStream('text/event-streams')]).toEqual([
      true,
      false,
    ]);
  });
});

describe('a plain answer as one event', () => {
  it('keeps every line in the event', () => {
    expect(string(asOneEvent(bytes('{"a":1}')))).toBe('data: {"a":1}\n\n');
    expect(string(asOneEvent(bytes('one\r\ntwo\n\nfour')))).toBe('data: one\ndata: two\ndata: \ndata: four\n\n');
  });
});

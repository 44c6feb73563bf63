import { describe, expect, it } from 'vitest';
import { changesOf, copiedOf } from './changes-of.ts';

const routing = {
  protocol: null,
  accepted_terms_format: null,
  settlement_rail: ['x402'],
  http_methods: ['POST'],
  price_schedule: null,
  payment_network: null,
  payment_pay_to: null,
  payment_asset: null,
  pay_via: null,
  endpoint_url: 'https://agents.test/live',
};
const live: Parameters<typeof changesOf>[0] = {
  org_domain: 'acme.test',
  specialty: 'quotes',
  capabilities: [{ name: 'quoting', weight: 1 }],
  routing,
  message_protocol: 'a2a',
  a2a_compliant: false,
  accepted_content_types: ['text/plain'],
  payload_schema: null,
  signup_help: null,
  auth_header_name: null,
};

describe('what a promotion changes', () => {
  it('is nothing where both are configured alike, whatever domain the draft lacks', () => {
    expect(changesOf(live, { ...live, org_domain: null })).toEqual([]);
  });

  it('is each field that differs, before and after', () => {
    const draft = {
      ...live,
      org_domain: 'draft.test',
      specialty: null,
      routing: { ...routing, endpoint_url: 'https://agents.test/next' },
    };
    expect(changesOf(live, draft)).toEqual([
      { what: 'Specialty', before: 'quotes', after: '–' },
      { what: 'Endpoint', before: 'https://agents.test/live', after: 'https://agents.test/next' },
      { what: 'Domain', before: 'acme.test', after: 'draft.test' },
    ]);
  });
});

describe('what a clone begins with', () => {
  it('is every field that is set, but never the domain, which has one holder', () => {
    expect(copiedOf(live)).toEqual([
      { what: 'Specialty', value: 'quotes' },
      { what: 'Capabilities', value: '["quoting (1)"]' },
      { what: 'Endpoint', value: 'https://agents.test/live' },
      { what: 'Message protocol', value: 'a2a' },
      { what: 'A2A compliant', value: 'false' },
      { what: 'Content types', value: '["text/plain"]' },
      { what: 'Settlement rails', value: '["x402"]' },
      { what: 'HTTP methods', value: '["POST"]' },
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { configurationPatchFromWire, registerBody } from './wire-input.ts';

const patchOf = (body: object): object =>
  configurationPatchFromWire(registerBody.parse({ agent_id: 'a', contact_email: 'a@acme.test', ...body }));

describe('the configuration in a body', () => {
  it('is empty if the body names no field: defaults are applied later', () => {
    expect(patchOf({})).toEqual({});
    expect(Object.keys(patchOf({ specialty: undefined }))).toEqual([]);
  });

  it('distinguishes an explicit null from an absent field', () => {
    expect(patchOf({ specialty: null, payload_schema: null, settlement_rail: null })).toEqual({
      specialty: null,
      payloadSchema: null,
      settlementRail: null,
    });
  });

  it('has every field, under its name in the code', () => {
    const whole = {
      capabilities: ['Machine Translation', { name: 'ocr', weight: 3 }],
      endpoint_url: 'https://agent.acme.test/run',
      protocol: 'p',
      accepted_terms_format: 't',
      settlement_rail: 'x402',
      http_methods: ['get'],
      specialty: 's',
      price_schedule: [{ task: 'quote', price: 1 }],
      payment_network: 'base',
      payment_pay_to: '0x1',
      payment_asset: 'USDC',
      message_protocol: 'mcp',
      a2a_compliant: true,
      accepted_content_types: ['text/html'],
      payload_schema: { date_format: 'iso' },
      signup_help: 'h',
      auth_header_name: 'X-Auth',
    };
    expect(patchOf(whole)).toEqual({
      capabilities: [
        { name: 'machine_translation', weight: 1 },
        { name: 'ocr', weight: 3 },
      ],
      endpointUrl: 'https://agent.acme.test/run',
      protocol: 'p',
      acceptedTermsFormat: 't',
      settlementRail: ['x402'],
      httpMethods: ['GET'],
      specialty: 's',
      priceSchedule: [{ task: 'quote', price: 1 }],
      paymentNetwork: 'base',
      paymentPayTo: '0x1',
      paymentAsset: 'USDC',
      messageProtocol: 'mcp',
      a2aCompliant: true,
      acceptedContentTypes: ['text/html'],
      payloadSchema: { currency: null, dateFormat: 'iso', quantityUnit: null, weightUnit: null },
      signupHelp: 'h',
      authHeaderName: 'X-Auth',
    });
  });

  it('rejects null for a field that cannot be empty', () => {
    const body = { ...registerBody.parse({ agent_id: 'a' }), capabilities: null };
    expect(configurationPatchFromWire({ ...body, message_protocol: null, a2a_compliant: null })).toEqual({
      capabilities: [],
    });
  });
});

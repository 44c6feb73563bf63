import { type Answer, ask, type Body, type HeaderMap, post } from './ask.ts';

export function update(agentId: string, fields: Body, credential: HeaderMap, gateway?: string): Promise<Answer> {
  return post('/update', { agent_id: agentId, ...fields }, credential, gateway);
}

/** The status and the error's code; the code is undefined on success. */
export function outcome({ status, body }: Answer): [number, unknown] {
  return [status, body['code']];
}

/** An agent as its organisation sees it. */
export async function owned(agentId: string, key: HeaderMap): Promise<Body> {
  const path = `/org/agents/${encodeURIComponent(agentId)}`;
  const { status, body, text } = await ask('GET', path, { headers: key, owner: true });
  if (status !== 200) throw new Error(`${path} returned ${status}: ${text}`);
  return body;
}

/** Every field of a configuration, none at its default. */
export const everyField = {
  capabilities: [
    { name: 'machine_translation', weight: 3 },
    { name: 'ocr', weight: 2 },
  ],
  endpoint_url: 'https://every-field.example/run',
  protocol: 'a2a-jsonrpc',
  accepted_terms_format: 'text/markdown',
  settlement_rail: ['x402', 'manual'],
  http_methods: ['GET', 'POST'],
  specialty: 'Contracts',
  price_schedule: [{ task: 'page', price: 0.25 }],
  payment_network: 'base',
  payment_pay_to: '0xabc',
  payment_asset: 'USDC',
  message_protocol: 'mcp',
  a2a_compliant: true,
  accepted_content_types: ['text/html'],
  payload_schema: { currency: 'EUR', date_format: 'iso', quantity_unit: null, weight_unit: 'kg' },
  signup_help: 'Ask us',
  auth_header_name: 'X-Token',
};

/** The configuration that an answer shows, in the fields of a request. Owners alone see `endpoint_url`. */
export function configurationIn(body: Body): Body {
  const all: Body = { ...body, ...(body['routing'] as Body) };
  return Object.fromEntries(Object.keys(everyField).map((field) => [field, all[field]]));
}

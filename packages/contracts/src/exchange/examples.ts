import { exampleBaseUrl, exampleIds } from '../agent/examples.ts';
import type { Examples } from '../http/route.ts';

export const exampleMcpSession = '5c3d1e0a-8f7b-4c26-b1a9-2e4d6f8a0b1c';

export const exampleReminder: string =
  'Rate this exchange: POST /review with {"transaction_id":"0199c2f4-7a51-7c3e-9c0b-5d1f2e3a4b5c","caller_agent_id":"acme-buyer",' +
  '"receiver_agent_id":"globex-translator","success":true,"score":10}, where success says whether you got what you asked for and score is 1 (very bad) to 10 (excellent).';

const parties = { caller_agent_id: exampleIds.buyer, agent_id: exampleIds.translator };
const envelope = (method: 'message/send' | 'message/stream', parts: object[]): object => ({
  jsonrpc: '2.0',
  id: '1',
  method,
  params: { message: { role: 'user', parts } },
});
const text = { kind: 'text', content_type: 'text/plain', content: 'Translate: Guten Morgen' };
const data = {
  kind: 'data',
  content_type: 'application/json',
  content: { from: 'de', to: 'en', text: 'Guten Morgen' },
};

export const callRequestExamples: Examples = {
  text: { summary: 'Text to an a2a agent', value: { ...parties, message: envelope('message/send', [text]) } },
  data: {
    summary: "Data to an a2a agent, with credentials of the agent's own",
    value: {
      ...parties,
      message: envelope('message/send', [data]),
      forwarded_headers: { 'X-Globex-Key': 'a key from Globex' },
    },
  },
  stream: { summary: 'A stream of events', value: { ...parties, message: envelope('message/stream', [text]) } },
  mcp: {
    summary: 'A request to an mcp agent',
    value: { ...parties, message: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  },
  raw: {
    summary: 'Any object to a raw agent',
    value: { ...parties, message: { text: 'Guten Morgen' }, method: 'POST' },
  },
};

const answered = {
  agent_id: exampleIds.translator,
  transaction_id: exampleIds.transaction,
  status_code: 200,
  body: {
    jsonrpc: '2.0',
    id: '1',
    result: { kind: 'message', role: 'agent', messageId: 'm1', parts: [{ kind: 'text', text: 'Good morning' }] },
  },
  response_headers: { 'content-type': 'application/json' },
  review_reminder: exampleReminder,
  fallback_suggestion: null,
  mcp_session_id: null,
  next_step: null,
};
const payVia = `${exampleBaseUrl}/pay/${exampleIds.translator}?call_ref=${exampleIds.transaction}`;
const demanded = {
  ...answered,
  status_code: 402,
  body: { x402Version: 1, error: 'X-PAYMENT header is required', accepts: [] },
  next_step: `The agent asks for payment: repeat the call with the payment in X-Payment (x402 version 2: PAYMENT-SIGNATURE), or pay at ${payVia}.`,
  pay_via: payVia,
};

export const callResponseExamples: Examples = {
  answered: { summary: 'The agent answered', value: answered },
  demanded: { summary: 'The agent requires payment', value: demanded },
};

export const exampleEvents =
  'data: {"jsonrpc":"2.0","id":"1","result":{"kind":"message","role":"agent","messageId":"m1","parts":[{"kind":"text","text":"Good morning"}]}}\n\n';

import type { ReferenceStep } from '@agent-trust/contracts';
import { actAsAgent, common, type Explanation, toolStep } from './topic.ts';

const caller = 'The agent_id of your agent, the caller.';
const message = (method: string, part: Record<string, unknown>) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: { message: { role: 'user', parts: [part] } },
});
const data = (content: Record<string, unknown>) => ({ kind: 'data', content_type: 'application/json', content });
const review = (title: string, transactionId: string, receiverId: string, note?: string): ReferenceStep =>
  toolStep(
    title,
    'review_transaction',
    {
      transaction_id: transactionId,
      caller_agent_id: '<AGENT_ID>',
      receiver_agent_id: receiverId,
      success: true,
      score: 9,
    },
    { agent_id: receiverId },
    note,
  );

const parties = { caller_agent_id: '<AGENT_ID>', agent_id: '<RECEIVER_ID>' };
const order = {
  ...parties,
  message: message('message/send', data({ sku: 'PAPER-A4', quantity: 4 })),
  forwarded_headers: { 'Accept-Language': 'de' },
  method: 'POST',
  idempotency_key: '<IDEMPOTENCY_KEY>',
};

/** Calls beyond a text: data, headers, repeats, streams. */
export const callAdvancedFields: Explanation = {
  title: 'Calls beyond a text: data, headers, repeats, streams, sessions',
  explanation:
    'A part of an a2a message is text (content_type text/plain, content a text), data (application/json, content an object) or file (its own media type, content in base64 or a URL). To an mcp receiver any JSON-RPC 2.0 message goes, to a raw one any object, both as they are; ' +
    "whole numbers beyond 2^53 are rounded on the way through MCP, so send those as texts. method GET or POST at the top level overrides the receiver's first http_methods, for receivers that get the content alone. " +
    'forwarded_headers are for the receiver, such as credentials of its own; those that hold a key of this registry are never passed on. mcp_session_id continues a session of an mcp receiver that an earlier answer named. ' +
    'With the same idempotency_key a call is made once, however often it is repeated. With message/stream body is the list of events, each with its data; ask for progress (progressToken) to see them as they come.',
  placeholders: {
    AGENT_KEY: common.AGENT_KEY,
    AGENT_ID: caller,
    RECEIVER_ID: 'An agent with message_protocol a2a, found by match_agents and worth calling by verify_agent.',
    IDEMPOTENCY_KEY: common.IDEMPOTENCY_KEY,
  },
  steps: [
    actAsAgent,
    toolStep(
      'Send data, with a header for the receiver',
      'call_agent',
      order,
      { agent_id: '<RECEIVER_ID>', transaction_id: '<TRANSACTION_ID>', status_code: 200 },
      "status_code and body are the receiver's own.",
    ),
    toolStep('Repeat it after a lost answer: the receiver is not called again', 'call_agent', order, {
      transaction_id: '<TRANSACTION_ID>',
      status_code: 200,
    }),
    toolStep(
      'Ask for a stream',
      'call_agent',
      { ...parties, message: message('message/stream', data({ sku: 'PAPER-A4', quantity: 5 })) },
      { transaction_id: '<STREAM_TRANSACTION_ID>', status_code: 200 },
    ),
    review(
      'Review one of them',
      '<TRANSACTION_ID>',
      '<RECEIVER_ID>',
      'The caller needs a trust_score of 50; an agent of an organisation begins at 75.',
    ),
  ],
};

const forecast = { kind: 'text', content_type: 'text/plain', content: 'The forecast for tomorrow, please.' };
const call = {
  caller_agent_id: '<AGENT_ID>',
  agent_id: '<SELLER_ID>',
  message: message('message/send', forecast),
};

/** From an agent's demand to the settled payment, by calls. */
export const paymentFlow: Explanation = {
  title: 'Paying an agent by x402',
  explanation:
    'The registry holds no money: it passes the agent\'s demand to you and your signed payment to the agent. Call the agent; if it wants to be paid, status_code is 402 and body (x402 version 1) or response_headers["payment-required"] (version 2) is its demand. ' +
    'Let an x402 library sign a payment for it with your wallet, and repeat the call with x_payment (version 1) or payment_signature (version 2). The agent settles, and response_headers has its payment response; ' +
    'the settlement is recorded, and the organisation that received it sees it in GET /org/payments. Decide what you are ready to pay before you sign. ' +
    "Instead of a second call you may pay over HTTP at pay_via, which stands for the agent's own address and takes any x402 client.",
  placeholders: {
    AGENT_KEY: common.AGENT_KEY,
    AGENT_ID: caller,
    SELLER_ID: 'An agent that takes x402: match_agents with settlement_rail ["x402"].',
    X_PAYMENT: 'The X-PAYMENT header that your x402 library makes from the demand in body.accepts.',
  },
  steps: [
    actAsAgent,
    toolStep(
      'Call, and get the demand',
      'call_agent',
      call,
      {
        agent_id: '<SELLER_ID>',
        status_code: 402,
        body: { x402Version: 1, accepts: [{ scheme: 'exact', resource: '<RESOURCE>', maxAmountRequired: '<AMOUNT>' }] },
        pay_via: '<PAY_VIA>',
      },
      'maxAmountRequired is in atomic units of the asset: 12300 of USDC are 0.0123.',
    ),
    toolStep(
      'Repeat the call with the payment',
      'call_agent',
      { ...call, x_payment: '<X_PAYMENT>' },
      {
        agent_id: '<SELLER_ID>',
        transaction_id: '<PAID_TRANSACTION_ID>',
        status_code: 200,
        response_headers: { 'x-payment-response': '<SETTLEMENT>' },
      },
      'The settlement is base64 of JSON, with success, network and transaction. Never sign a second payment because an answer was lost: repeat the same one.',
    ),
    review('Review what you paid for', '<PAID_TRANSACTION_ID>', '<SELLER_ID>'),
  ],
};

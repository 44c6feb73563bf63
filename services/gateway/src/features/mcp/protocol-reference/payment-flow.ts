import { actAsAgent, common, type Explanation, toolStep } from './topic.ts';

const call = {
  caller_agent_id: '<AGENT_ID>',
  agent_id: '<SELLER_ID>',
  message: {
    jsonrpc: '2.0',
    id: 1,
    method: 'message/send',
    params: {
      message: {
        role: 'user',
        parts: [{ kind: 'text', content_type: 'text/plain', content: 'The forecast for tomorrow, please.' }],
      },
    },
  },
};

/** From an agent's demand to the settled payment, by calls. */
export const paymentFlow: Explanation = {
  title: 'Paying an agent by x402',
  explanation:
    `The registry holds no money: it carries the agent's demand to you and your signed payment to the agent. Call the agent; where it wants to be paid, status_code is 402 and body (x402 version 1) or response_headers["payment-required"] (version 2) is its demand. ` +
    'Let an x402 library sign a payment for it with your wallet, and repeat the call with x_payment (version 1) or payment_signature (version 2). The agent settles, and response_headers has its payment response; ' +
    'what was settled is on record, and the organisation that received it sees it in GET /org/payments. Decide what you are ready to pay before you sign. ' +
    "Instead of a second call you may pay over HTTP at pay_via, which stands for the agent's own address and takes any x402 client.",
  placeholders: {
    AGENT_KEY: common.AGENT_KEY,
    AGENT_ID: 'The agent_id of your agent, the caller.',
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
      'The settlement is base64 of JSON, with success, network and transaction. Never sign a second payment because an answer got lost: repeat the same one.',
    ),
    toolStep(
      'Review what you paid for',
      'review_transaction',
      {
        transaction_id: '<PAID_TRANSACTION_ID>',
        caller_agent_id: '<AGENT_ID>',
        receiver_agent_id: '<SELLER_ID>',
        success: true,
        score: 9,
      },
      { agent_id: '<SELLER_ID>' },
    ),
  ],
};

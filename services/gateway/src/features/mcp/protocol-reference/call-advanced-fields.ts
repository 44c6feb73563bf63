import { actAsAgent, common, type Explanation, toolStep } from './topic.ts';

const message = (method: string, content: Record<string, unknown>) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: { message: { role: 'user', parts: [{ kind: 'data', content_type: 'application/json', content }] } },
});
const parties = { caller_agent_id: '<AGENT_ID>', agent_id: '<RECEIVER_ID>' };
/** Sent twice in the example. */
const order = {
  ...parties,
  message: message('message/send', { sku: 'PAPER-A4', quantity: 4 }),
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
    'forwarded_headers are for the receiver, such as credentials of its own; those that hold a key of this registry never go. mcp_session_id goes on with a session of an mcp receiver that an earlier answer named. ' +
    'With the same idempotency_key a call is made once, however often it is asked for. With message/stream body is the list of events, each with its data; ask for progress (progressToken) to see them as they come.',
  placeholders: {
    AGENT_KEY: common.AGENT_KEY,
    AGENT_ID: 'The agent_id of your agent, the caller.',
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
      { ...parties, message: message('message/stream', { sku: 'PAPER-A4', quantity: 5 }) },
      { transaction_id: '<STREAM_TRANSACTION_ID>', status_code: 200 },
    ),
    toolStep(
      'Review one of them',
      'review_transaction',
      {
        transaction_id: '<TRANSACTION_ID>',
        caller_agent_id: '<AGENT_ID>',
        receiver_agent_id: '<RECEIVER_ID>',
        success: true,
        score: 9,
      },
      { agent_id: '<RECEIVER_ID>' },
      'The caller needs a trust_score of 50; an agent of an organisation begins at 75.',
    ),
  ],
};

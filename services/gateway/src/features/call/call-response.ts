import type { CallResponse, executeCall } from '@agent-trust/contracts';
import type { z } from 'zod';
import { isLongBody } from '../../http/held-body.ts';

export type CallHead = z.output<typeof executeCall.head>;
export type CallParties = { callerAgentId: string; agentId: string };

/** The JSON of a call response, with `body` inserted as it is (see `bodyJson`): as text, but a long one as bytes, which are copied less often. */
export function callResponseJson(response: Omit<CallResponse, 'body'>, body: Buffer): string | Buffer {
  const before = `${JSON.stringify(response).slice(0, -1)},"body":`;
  if (!isLongBody(body.length)) return `${before}${body.toString('utf8')}}`;
  return Buffer.concat([Buffer.from(before), body, Buffer.from('}')]);
}

/** The response without the agent's own answer. The transaction_id is empty for an MCP `initialize`, which is no exchange. */
export function callResponse(
  parties: CallParties,
  head: CallHead,
  fallbackAgentId: string | null,
  baseUrl: string,
): Omit<CallResponse, 'body'> {
  return {
    agent_id: parties.agentId,
    transaction_id: head.transactionId ?? '',
    status_code: head.statusCode,
    response_headers: head.responseHeaders,
    review_reminder: head.transactionId === null ? null : reviewReminder(parties, head.transactionId, head.statusCode),
    fallback_suggestion: fallbackAgentId,
    mcp_session_id: head.mcpSessionId,
    next_step: nextStep(parties, head, baseUrl),
    ...(head.statusCode === 402 ? { pay_via: payReference(parties, head, baseUrl) } : {}),
  };
}

/** How to review an exchange, in text that works when pasted. @param statusCode of the agent's answer; null if it did not answer. */
export function reviewReminder(
  { callerAgentId, agentId }: CallParties,
  transactionId: string,
  statusCode: number | null,
): string {
  const isDone = statusCode !== null && statusCode < 400;
  return `Rate this exchange: POST /review with ${JSON.stringify({
    transaction_id: transactionId,
    caller_agent_id: callerAgentId,
    receiver_agent_id: agentId,
    success: isDone,
    score: isDone ? 10 : 1,
  })}, where success says whether you got what you asked for and score is 1 (very bad) to 10 (excellent).`;
}

/** Where to pay for a call whose agent asks for payment. */
export function payReference({ agentId }: CallParties, { transactionId }: CallHead, baseUrl: string): string {
  const address = `${baseUrl}/pay/${encodeURIComponent(agentId)}`;
  return transactionId === null ? address : `${address}?call_ref=${encodeURIComponent(transactionId)}`;
}

const nextStep = (parties: CallParties, head: CallHead, baseUrl: string): string | null => {
  switch (head.statusCode) {
    case 402:
      return `The agent asks for payment: repeat the call with the payment in X-Payment (x402 version 2: PAYMENT-SIGNATURE), or pay at ${payReference(parties, head, baseUrl)}.`;
    case 401:
    case 403:
      return (
        `The agent wants credentials of its own: signup_help and auth_header_name in ${baseUrl}/agent/` +
        `${encodeURIComponent(parties.agentId)} say which. Send them in forwarded_headers.`
      );
    default:
      return null;
  }
};

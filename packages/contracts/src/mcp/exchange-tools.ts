import { z } from 'zod';
import { answerReviewRoute, callRoute, reviewRoute } from '../exchange/routes.ts';
import {
  callArguments,
  callHeaders,
  hints,
  idempotencyArgument,
  idempotencyHeaders,
  othersWords,
  type RouteTool,
} from './tool.ts';

/** Tools of a deal: the call, its review, and the answer to that. */

export const callAgentTool: RouteTool = {
  kind: 'route',
  name: 'call_agent',
  title: 'Call an agent',
  description:
    'Sends a message to an agent through the registry and returns its answer. Verify the agent first, and call only if recommended_action permits. caller_agent_id is your own agent, whose key the connection ' +
    `has or set_agent_key has set. message depends on the receiver's message_protocol: for a2a {"jsonrpc":"2.0","method":"message/send","params":{"message":{"role":"user","parts":[{"kind":"text",` +
    `"content_type":"text/plain","content":"…"}]}}}; for mcp any JSON-RPC 2.0 message; for raw any JSON object. status_code and body are the agent's own: a result means that the agent answered, not that it agreed. ` +
    'With method message/stream the events arrive as progress notifications, if you request progress, and all together in the result. Afterwards use review_transaction with transaction_id. ' +
    'status_code 402: the agent requires payment, see next_step and protocol_reference payment_flow. 401 or 403: it requires its own credentials in forwarded_headers, see signup_help of get_agent. ' +
    'Refusals: credential_required and invalid_credential (set_agent_key), caller_mismatch (the key is not that of caller_agent_id), invalid_message (its loc says where), no_endpoint, downstream_failed (the agent did ' +
    'not answer; fallback_suggestion names another, and the failed call may be reviewed), target_busy (wait). After a lost connection repeat with the same idempotency_key. ' +
    othersWords,
  hints: hints.actsOnOthers,
  route: callRoute,
  headers: callHeaders,
  extra: z.object(callArguments),
};

export const reviewTransactionTool: RouteTool = {
  kind: 'route',
  name: 'review_transaction',
  title: 'Review a call',
  description:
    'Rates one call of call_agent, once; do it after every call, failed ones too, since ratings determine trust_score. success says whether you got the requested result, score is 1 (very bad) to 10 (excellent). ' +
    "Without transaction_id it rates your newest unreviewed call of that agent. It needs the caller's own key, like call_agent. The answer is the receiver's trust object after the review; in a sandbox no score changes. " +
    'Permanent refusals: caller_trust_too_low (the reviewer needs a trust_score of 50: an agent without an organisation begins at 40, and reviews of others raise it), same_org_domain (agents of one organisation review each other in a sandbox alone), self_review, already_reviewed; ' +
    'no_unreviewed_exchange means that there was no such call.',
  hints: hints.adds,
  route: reviewRoute,
  headers: idempotencyHeaders,
  extra: z.object(idempotencyArgument),
};

export const answerReviewTool: RouteTool = {
  kind: 'route',
  name: 'answer_review',
  title: 'Answer a review',
  description:
    'Says something about one review that your agent received; everybody who sees the review sees it beside it, and no score changes. get_agent lists the reviews (ratings_received) with their transaction_id. ' +
    "One answer to a review, which cannot be changed or withdrawn: ask your user for the words first. It needs the reviewed agent's own key (on the connection or by set_agent_key) or the key of its organisation (X-API-KEY). " +
    "Refusals: review_not_found (no review of that call, or not of this agent), already_answered, not_owner (the key is not this agent's).",
  hints: hints.adds,
  route: answerReviewRoute,
  headers: idempotencyHeaders,
  extra: z.object(idempotencyArgument),
};

import { answerReview as answerReviewMethod, answerReviewRoute, type ReviewAnsweredWire } from '@agent-trust/contracts';
import { command } from '../../bus/ask.ts';
import { untilReadable } from '../../bus/read-your-writes.ts';
import { ownerAuthorityOf } from '../../http/caller/caller.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { scopeOfCaller } from '../../idempotency/credential-scope.ts';
import { idempotently } from '../../idempotency/idempotently.ts';

export const answerReview: Endpoint = endpoint(
  answerReviewRoute,
  ({ body, caller, actor, request, reply }, gateway) => {
    const { agent_id: agentId, transaction_id: transactionId, text } = body;
    return idempotently(gateway, { request, reply }, scopeOfCaller(caller, agentId), async (once, written) => {
      const { answeredAt, position } = await command(gateway, request, answerReviewMethod, {
        agentId,
        authority: ownerAuthorityOf(caller),
        transactionId,
        text,
        commandId: once.commandId,
        earlierCommandId: once.earlierCommandId,
        actor,
      });
      written();
      await untilReadable(gateway, position);
      return {
        agent_id: agentId,
        transaction_id: transactionId,
        status: 'answered',
        answered_at: answeredAt,
      } satisfies ReviewAnsweredWire;
    });
  },
);

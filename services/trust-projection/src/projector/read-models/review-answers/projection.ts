import { defineTable } from '@agent-trust/projections';
import type { RegistryProjection } from '../registry-event.ts';

/** What the owner of the rated agent has answered to a review. A table of its own, so that ratings are never rewritten. */
export const reviewAnswers = defineTable({
  name: 'review_answer',
  columns: {
    receiverAgentId: 'text',
    transactionId: 'text',
    position: 'bigint',
    keyId: 'text',
    sealed: 'text',
    answeredAt: 'timestamptz',
  },
  key: ['receiverAgentId', 'transactionId'],
  appendOnly: true,
});

/** Rows of answers stay as they are: an agent may have given any number of them when its key is destroyed. */
export const erasedKeys = defineTable({
  name: 'erased_key',
  columns: { keyId: 'text', agentId: 'text' },
  key: ['keyId'],
});

export const reviewAnswersProjection: RegistryProjection = {
  name: 'review-answers',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [reviewAnswers, erasedKeys],
  reads: () => undefined,
  apply: (event, rows) => {
    if (event.type === 'ReviewAnswered') {
      const { receiverAgentId, transactionId, answer, answeredAt } = event.data;
      rows.insert(reviewAnswers, {
        receiverAgentId,
        transactionId,
        position: event.position,
        ...answer,
        answeredAt: new Date(answeredAt),
      });
    } else if (event.type === 'PersonalDataErased') {
      const { agentId, keyIds } = event.data;
      for (const keyId of keyIds) rows.put(erasedKeys, { keyId, agentId });
    }
  },
};

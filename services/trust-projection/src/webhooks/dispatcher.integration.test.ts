/*
 * Bug: a retry that becomes due between the question for due messages and the one for the next due time is in neither answer, and waits until
 * the dispatcher's longest sleep is over.
 * Method: the database answers the first question only when the retry has become due.
 */
import { webhooksStream } from '@agent-trust/contracts';
import { migratePostgresEventLog, openEventLog } from '@agent-trust/event-log';
import type { SafeFetch, TargetGuard } from '@agent-trust/safe-fetch';
import { createTestDatabase, waitFor } from '@agent-trust/test-kit';
import { expect, it } from 'vitest';
import { appendHistory, makeHistory } from '../testing/made-history.ts';
import { createStoppedReadModel } from '../testing/stopped-read-model.ts';
import { dispatch } from './dispatcher.ts';
import { webhookLimits } from './limits.ts';
import { fillOutbox } from './outbox/fill-outbox.ts';
import { openOutboxSession, type OutboxSession } from './outbox/session.ts';
import { migrateOutbox } from './start-webhooks.ts';

const retryAfterMs = 100;
const history = makeHistory({ agents: 20, exchanges: 60, seed: 3 });
const registered = {
  stream: webhooksStream('org1'),
  event: {
    type: 'WebhookRegistered' as const,
    data: {
      webhookId: 'hook-1',
      orgId: 'org1',
      url: 'https://hooks.test/',
      agentIds: null,
      secretSalt: 'salt',
      registeredAt: '2026-07-01T00:00:00.000Z',
    },
  },
};

it('sends a retry that becomes due while it asks what is due', async () => {
  const { url, drop } = await createTestDatabase();
  await migratePostgresEventLog(url);
  const log = await openEventLog(url);
  const readModel = await createStoppedReadModel(log);
  const stopping = new AbortController();
  try {
    await migrateOutbox(readModel.url);
    const position = await appendHistory(log, [...history.slice(0, -100), registered, ...history.slice(-100)]);
    await readModel.advanceTo(null);
    const outbox = await openOutboxSession(readModel.url);
    if (outbox === null) throw new Error('somebody else has the place of the dispatcher');
    while ((await outbox.run(fillOutbox)).isMore);
    const dueAt = Date.now() + retryAfterMs;
    const { rowCount } = await outbox.run(({ client }) =>
      client.query('UPDATE lane SET due_at = $1', [new Date(dueAt)]),
    );
    expect(rowCount).toBeGreaterThan(0);

    const slow: OutboxSession = {
      ...outbox,
      run: async (work) => {
        const result = await outbox.run(work);
        const isNothingDue = Array.isArray(result) && result.length === 0;
        if (isNothingDue) await waitFor(() => Promise.resolve(Date.now() > dueAt));
        return result;
      },
    };
    const sent = Promise.withResolvers<string>();
    const safeFetch = ((target: string) => {
      sent.resolve(target);
      return new Promise(() => undefined);
    }) as unknown as SafeFetch;
    const pass = { leave: () => undefined, answered: () => undefined, failed: () => undefined };
    void dispatch(
      {
        safeFetch,
        guard: { enter: () => pass } as unknown as TargetGuard,
        webhookSecrets: ['a secret of webhooks'],
        answerMs: 1_000,
        watcher: {
          current: () => position,
          committed: () => undefined,
          waitFor: () => new Promise(() => undefined),
          close: () => Promise.resolve(),
        },
        logger: { info: () => undefined, warn: () => undefined } as never,
        retry: { retryFirstMs: 1, retryLongestMs: 1 },
        attemptsMax: 2,
      },
      slow,
      stopping.signal,
    );
    expect(webhookLimits.idleMsMax).toBeGreaterThan(20_000);
    expect(await sent.promise).toBe('https://hooks.test/');
    await outbox.close();
  } finally {
    stopping.abort();
    await readModel.close();
    await log.close();
    await drop();
  }
}, 20_000);

/**
 * Bug: a webhook replays a history of months; its first message is about a change of long ago, and people are told that messages have waited for
 * months. Method: a message about an old change, in an outbox without anything else.
 */
import { type MetricName, processMetrics } from '@agent-trust/metrics';
import { createTestDatabase } from '@agent-trust/test-kit';
import pg from 'pg';
import { expect, it } from 'vitest';
import { openReadModelDatabase } from '../shared/database.ts';
import { observeOutbox } from './observe-outbox.ts';
import { outboxSchema } from './outbox/session.ts';
import { migrateOutbox } from './start-webhooks.ts';

const valueOf = async (name: MetricName): Promise<number | undefined> => {
  const { metrics } = await processMetrics.collect('trust-projection');
  return metrics.find((one) => one.name === name)?.points?.[0]?.value;
};

it('counts how long messages have waited, not how long ago their changes were', async () => {
  const { url, drop } = await createTestDatabase();
  await migrateOutbox(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const database = openReadModelDatabase(url);
  const stop = observeOutbox(database);
  try {
    expect(await valueOf('registry.webhooks.oldest.age')).toBe(0);
    await client.query(`SET search_path TO ${outboxSchema}`);
    await client.query("INSERT INTO hook (webhook_id, starts_after, pending) VALUES ('hook', -1, 1)");
    await client.query(
      `WITH queued AS (
         INSERT INTO delivery (webhook_id, agent_id, position, message_id, at, trust_policy, trust_score, cause_type, cause_event_id)
         VALUES ('hook', 'agent', 1, 'msg', now() - interval '90 days', 'v1', 77, 'ExchangeReviewed', 'event') RETURNING delivery_id
       ) INSERT INTO lane (webhook_id, agent_id, delivery_id, due_at) SELECT 'hook', 'agent', delivery_id, now() FROM queued`,
    );
    expect(await valueOf('registry.webhooks.backlog')).toBe(1);
    expect(await valueOf('registry.webhooks.oldest.age')).toBeLessThan(600);
    await client.query("UPDATE delivery SET queued_at = now() - interval '7 hours'");
    expect(await valueOf('registry.webhooks.oldest.age')).toBeGreaterThanOrEqual(7 * 3_600);
  } finally {
    stop();
    await database.close();
    await client.end();
    await drop();
  }
});

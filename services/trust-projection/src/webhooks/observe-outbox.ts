import { observe } from '@agent-trust/metrics';
import sql from 'sql-template-tag';
import type { ReadModelDatabase } from '../shared/database.ts';

/**
 * Reports the messages that wait for their delivery. Returns a function that ends that. Each webhook keeps its count, and messages are numbered in
 * the order in which they came, so neither statement reads more than a few rows.
 */
export function observeOutbox(database: Pick<ReadModelDatabase, 'query'>): () => void {
  return observe(async (report) => {
    const [row] = await database.query<{ backlog: number; oldestAge: number | null }>(sql`
      SELECT
        (SELECT coalesce(sum(pending), 0)::float8 FROM webhook_outbox.hook WHERE disabled_at IS NULL) AS backlog,
        (SELECT greatest(0, extract(epoch FROM now() - queued_at))::float8 FROM webhook_outbox.lane
           JOIN webhook_outbox.delivery USING (delivery_id) ORDER BY delivery_id LIMIT 1) AS oldest_age`);
    report('registry.webhooks.backlog', row?.backlog ?? 0);
    report('registry.webhooks.oldest.age', row?.oldestAge ?? 0);
  });
}

/** Bug: messages that waited when the registry was upgraded are lost, or say something else. Method: a delivery in the first form of the outbox. */
import { loadMigrations, migrate } from '@agent-trust/event-log';
import { createTestDatabase } from '@agent-trust/test-kit';
import pg from 'pg';
import sql from 'sql-template-tag';
import { expect, it } from 'vitest';
import { migrateOutbox } from '../start-webhooks.ts';
import { markDelivered } from './deliveries.ts';
import { openOutboxSession, outboxSchema } from './session.ts';

it('keeps a delivery of an earlier build as a change of a score, and takes no score for a notice', async () => {
  const { url, drop } = await createTestDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const [first] = await loadMigrations(new URL('./', import.meta.url));
    await migrate(client, { schema: outboxSchema, migrations: first === undefined ? [] : [first] });
    await client.query(`SET search_path TO ${outboxSchema}`);
    await client.query("INSERT INTO hook (webhook_id, starts_after) VALUES ('hook', -1)");
    const score = "'hook', 'agent', $1, 'msg', now(), 'v1', 77, 76, 'ExchangeReviewed', 'event'";
    const columns =
      'webhook_id, agent_id, position, message_id, at, trust_policy, trust_score, previous_score, cause_type, cause_event_id';
    await client.query(`INSERT INTO delivery (${columns}) VALUES (${score})`, [1]);

    await migrateOutbox(url);
    const { rows } = await client.query(
      'SELECT type, trust_policy, trust_score, org_domain, reason, agents FROM delivery',
    );
    expect(rows).toEqual([
      {
        type: 'trust_score.changed',
        trust_policy: 'v1',
        trust_score: 77,
        org_domain: null,
        reason: null,
        agents: null,
      },
    ]);
    // It is delivered like a later one, stays among what was delivered, and goes with its webhook.
    expect((await client.query('SELECT delivered FROM hook')).rows).toEqual([{ delivered: '0' }]);
    const outbox = await openOutboxSession(url);
    if (outbox === null) throw new Error('another session has the outbox');
    await outbox.run(async (database) => {
      const [{ deliveryId } = { deliveryId: 0n }] = await database.query<{ deliveryId: bigint }>(
        sql`SELECT delivery_id FROM delivery`,
      );
      await markDelivered(database, deliveryId, new Date());
    });
    await outbox.close();
    const kept = 'SELECT place, message_id, trust_score, attempts FROM delivered';
    expect((await client.query(kept)).rows).toEqual([{ place: 1, message_id: 'msg', trust_score: 77, attempts: 1 }]);
    await client.query("DELETE FROM hook WHERE webhook_id = 'hook'");
    expect((await client.query(kept)).rows).toEqual([]);
    await client.query("INSERT INTO hook (webhook_id, starts_after) VALUES ('hook', -1)");
    await client.query(`INSERT INTO delivery (${columns}, type) VALUES (${score}, 'trust_score.changed')`, [1]);
    await expect(
      client.query(`INSERT INTO delivery (${columns}, type) VALUES (${score}, 'agent.suspended')`, [2]),
    ).rejects.toThrow('delivery_score_of_changes');
    await expect(client.query('UPDATE delivery SET agents = 101')).rejects.toThrow(/delivery_(score|agents)_of/u);
  } finally {
    await client.end();
    await drop();
  }
});

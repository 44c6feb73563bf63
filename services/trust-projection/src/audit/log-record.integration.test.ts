import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@agent-trust/event-log';
import { waitFor } from '@agent-trust/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeHistory } from '../testing/made-history.ts';
import { createServiceFixture, type ServiceFixture } from '../testing/service-fixture.ts';

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = await createServiceFixture();
});
afterAll(() => fixture.close());

const recordedUpTo = async (position: bigint | string): Promise<void> =>
  void (await waitFor(async () => {
    const [row] = await fixture.query<{ position: string | null }>(
      'SELECT position FROM log_record.projection_checkpoint',
    );
    return BigInt(row?.position ?? -1) >= BigInt(position);
  }));

const append = async (stream: string, type: string, data: JsonObject): Promise<bigint> => {
  const event = { eventId: randomUUID(), type, data, metadata: { actor: { kind: 'agent', id: 'teller' } } };
  const { position } = await fixture.log.append(stream, [event], { expectedRevision: 'any' });
  await recordedUpTo(position);
  return position;
};
const idsAt = async (table: string, column: string, position: bigint): Promise<string[]> =>
  (
    await fixture.query<{ id: string }>(
      `SELECT ${column} AS id FROM log_record.${table} WHERE position = ${position} ORDER BY 1`,
    )
  ).map(({ id }) => id);

describe('the log record', () => {
  it('has a row for every event, with its place, time and actor', async () => {
    await recordedUpTo(await fixture.record(...makeHistory({ agents: 20, exchanges: 200, seed: 5 })));
    const events = await fixture.log.readAll({ after: null, countMax: 10_000 });
    const rows = await fixture.query<{ position: string; event_id: string; type: string; at: string }>(
      'SELECT position, event_id, type, (extract(epoch FROM recorded_at) * 1000)::bigint AS at FROM log_record.audit_event ORDER BY position',
    );
    expect(rows).toEqual(
      events.map(({ position, eventId, type, recordedAt }) => ({
        position: String(position),
        event_id: eventId,
        type,
        at: String(recordedAt.getTime()),
      })),
    );
  });

  it('includes events of unknown types, with the agents that they name', async () => {
    const position = await append('weather-1', 'RainFell', { callerAgentId: 'a', receiverAgentId: 'b', agentId: 'a' });
    expect(await idsAt('audit_agent', 'agent_id', position)).toEqual(['a', 'b']);
    expect(
      await fixture.query(`SELECT actor_kind, actor_id, type FROM log_record.audit_event WHERE position = ${position}`),
    ).toEqual([{ actor_kind: 'agent', actor_id: 'teller', type: 'RainFell' }]);
  });

  it("finds an agent's event by the organisation that owned the agent at the time", async () => {
    const agentId = `adopted-${randomUUID()}`;
    const before = await append('weather-2', 'RainFell', { agentId });
    const adopted = await append('weather-2', 'AgentAdopted', { agentId, orgId: 'org-1' });
    const after = await append('weather-2', 'SunShone', { agentId });
    const organisations = await Promise.all(
      [before, adopted, after].map((position) => idsAt('audit_organisation', 'org_id', position)),
    );
    expect(organisations).toEqual([[], ['org-1'], ['org-1']]);
  });
});

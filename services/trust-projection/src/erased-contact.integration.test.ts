/*
 * Bugs: after an erasure was acknowledged, one of several instances still shows the contact from its memory; a replay restores it; a row of a read
 * model contains it in clear.
 * Method: three instances that have all shown the contact, queried repeatedly while it is erased and after; then a replay, and every row.
 */
import {
  type AgentContact,
  agentStream,
  getAgentProfile,
  getPastAgentProfile,
  getOrgAgentProfile,
  production,
  type SealedText,
} from '@agent-trust/contracts';
import { replayReadModel } from '@agent-trust/projections';
import { type KeyStore, sealText } from '@agent-trust/personal-data';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { registryReadModel } from './projector/read-models/registry-read-model.ts';
import { readModelSchema } from './shared/database.ts';
import { agentRegistered } from './testing/made-events.ts';
import { createServiceFixture, type ServiceFixture } from './testing/service-fixture.ts';

const instances = 3;
const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const timeout = { timeoutMs: 10_000 };

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = await createServiceFixture();
  for (let n = 2; n <= instances; n += 1) await fixture.startInstance(`instance-${n}`);
});
afterAll(() => fixture.close());

const seal = async (keys: KeyStore, agentId: string, contact: AgentContact) => {
  const key = await keys.current(agentId);
  const sealed = (field: keyof AgentContact): SealedText | null =>
    contact[field] === null ? null : sealText(key, field, contact[field]);
  return { keyId: key.keyId, contact: { contactInfo: sealed('contactInfo'), contactEmail: sealed('contactEmail') } };
};
const register = async (agentId: string, contactInfo: string): Promise<{ keyId: string; position: string }> => {
  const { keyId, contact } = await seal(fixture.contactKeys, agentId, { contactInfo, contactEmail: null });
  const made = agentRegistered({ agentId, orgId: 'acme' }, at(0));
  if (made.event.type !== 'AgentRegistered') throw new Error('not a registration');
  const event = { ...made.event, data: { ...made.event.data, contact } };
  return { keyId, position: await fixture.record({ ...made, event }) };
};
const readable = (position: string): Promise<unknown> => fixture.untilVisible(position);
const shown = async (agentId: string): Promise<(string | null | undefined)[]> => {
  const asked = { agentId, universe: production };
  const [profile, owned] = await Promise.all([
    fixture.gateway.request(getAgentProfile, asked, timeout),
    fixture.gateway.request(getOrgAgentProfile, { ...asked, orgId: 'acme' }, timeout),
  ]);
  return [profile.agent?.contactInfo, owned.agent?.contactInfo];
};
/** Enough concurrent queries that each instance gets some. */
const shownByAll = async (agentId: string): Promise<unknown[]> => [
  ...new Set((await Promise.all(Array.from({ length: 20 * instances }, () => shown(agentId)))).flat()),
];
const erased = (agentId: string, keyIds: string[]) => ({
  stream: agentStream(agentId),
  event: { type: 'PersonalDataErased' as const, data: { agentId, keyIds, erasedAt: at(1) } },
});
const everyRow = async (): Promise<string> => {
  const tables = await fixture.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const rows = await Promise.all(
    tables.map(({ name }) => fixture.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`)),
  );
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n');
};

it('is shown by no instance once its key is destroyed, even before any instance has read the event', async () => {
  const { keyId, position } = await register('a', 'ring twice');
  await readable(position);
  expect(await shownByAll('a')).toEqual(['ring twice']);
  let acknowledged = false;
  const afterwards: unknown[] = [];
  const asking = Array.from({ length: 2 * instances }, async () => {
    for (let n = 0; n < 40; n += 1) {
      const isAfter = acknowledged;
      const contacts = await shown('a');
      if (isAfter) afterwards.push(...contacts);
    }
  });
  expect(await fixture.contactKeys.destroy('a')).toEqual([keyId]);
  acknowledged = true;
  await Promise.all(asking);
  expect(afterwards.length).toBeGreaterThan(0);
  expect([...new Set(afterwards)]).toEqual([null]);
  expect(await shownByAll('a')).toEqual([null]);
  await readable(await fixture.record(erased('a', [keyId])));
  expect(await shownByAll('a')).toEqual([null]);
});

it('returns with a new key, but only the contact that was sealed with that', async () => {
  const { keyId, position } = await register('b', 'the old number');
  await readable(position);
  await fixture.contactKeys.destroy('b');
  const renewed = await seal(fixture.contactKeys, 'b', { contactInfo: 'the new number', contactEmail: null });
  const data = { agentId: 'b', contact: renewed.contact, changedAt: at(1) };
  await fixture.record({ stream: agentStream('b'), event: { type: 'ContactChanged', data } });
  // The event of the erasure comes last, and concerns the former key alone.
  await readable(await fixture.record(erased('b', [keyId])));
  expect(await shownByAll('b')).toEqual(['the new number']);
});

it('is gone from the past, too, once its owner has cleared it', async () => {
  const ask = async (agentId: string, position: string) => {
    const asked = { agentId, universe: production, asOf: { position } };
    return (await fixture.gateway.request(getPastAgentProfile, asked, { timeoutMs: 10_000 })).agent?.contactInfo;
  };
  const change = async (contactInfo: string | null) => {
    const { contact } = await seal(fixture.contactKeys, 'c', { contactInfo, contactEmail: null });
    const changed = await fixture.record({
      stream: agentStream('c'),
      event: { type: 'ContactChanged', data: { agentId: 'c', contact, changedAt: at(2) } },
    });
    await readable(changed);
    return changed;
  };
  const { position: first } = await register('c', 'the first number');
  const second = await change('the second number');
  // One that replaces another leaves that one where it was.
  expect([await ask('c', first), await ask('c', second)]).toEqual(['the first number', 'the second number']);
  const cleared = await change(null);
  expect([await ask('c', first), await ask('c', second), await ask('c', cleared)]).toEqual([null, null, null]);
  const third = await change('the third number');
  expect([await ask('c', first), await ask('c', second), await ask('c', cleared)]).toEqual([null, null, null]);
  expect(await ask('c', third)).toBe('the third number');
  // Its owner says it again: that is no leave to show it for the time before it was cleared.
  await change('the first number');
  expect([await ask('c', first), await ask('c', third)]).toEqual([null, 'the third number']);
});

it('stays erased in a replay, which finds every row unchanged', async () => {
  const readModel = await registryReadModel();
  const connection = { connectionString: fixture.url };
  const report = await replayReadModel({ connection, schema: readModelSchema, log: fixture.log, readModel });
  expect(report).toMatchObject({ switched: true, comparison: { rowsDiffering: 0 } });
  expect([await shownByAll('a'), await shownByAll('b')]).toEqual([[null], ['the new number']]);
  const rows = await everyRow();
  for (const text of ['ring twice', 'the old number', 'the new number']) expect(rows).not.toContain(text);
});

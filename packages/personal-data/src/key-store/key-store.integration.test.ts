/*
 * Bugs: two writers seal with two keys, one of which is lost; a destroyed key is still readable, from a cache or by a role with excessive
 * rights; the store is down and a caller continues without it.
 * Method: a real Postgres with the roles of the services, many concurrent calls, and a proxy that breaks connections.
 */
import { createTestDatabase, describeSchema, faultProxy, type TestDatabase } from '@agent-trust/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { wrappingKeyOf } from '../sealing/agent-key.ts';
import { KeyStoreUnavailableError } from './errors.ts';
import { type KeyStore, openKeyStore } from './key-store.ts';
import { preparePersonalData } from './schema.ts';

const wrapping = wrappingKeyOf('wraps the keys of the tests of the key store');
const roles = { writer: `keys_writer_${process.pid}`, reader: `keys_reader_${process.pid}` };

let database: TestDatabase;
let owner: pg.Client;
let keys: KeyStore;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  for (const role of Object.values(roles)) await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD 'for a test'`);
  const access = { writers: [roles.writer], readers: [roles.reader] };
  await Promise.all([preparePersonalData(database.url, access), preparePersonalData(database.url, access)]);
  keys = openKeyStore(urlOf(roles.writer), wrapping);
});
afterAll(async () => {
  await keys.close();
  for (const role of Object.values(roles)) await owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  await owner.end();
  await database.drop();
});
const urlOf = (role: string): string => {
  const url = new URL(database.url);
  url.username = role;
  url.password = 'for a test';
  return url.href;
};
const opened = (url: string, wrappedWith = wrapping): KeyStore => {
  const store = openKeyStore(url, wrappedWith);
  onTestFinished(() => store.close());
  return store;
};

it('the schema equals its golden file', async () => {
  expect(await describeSchema(database.url, 'personal_data')).toMatchInlineSnapshot(`
    "constraint personal_data.agent_key agent_key_agent_id_key UNIQUE (agent_id)
    constraint personal_data.agent_key agent_key_pkey PRIMARY KEY (key_id)
    index CREATE UNIQUE INDEX agent_key_agent_id_key ON personal_data.agent_key USING btree (agent_id)
    index CREATE UNIQUE INDEX agent_key_pkey ON personal_data.agent_key USING btree (key_id)
    table agent_key.agent_id text not null collate C
    table agent_key.created_at timestamp with time zone not null default now()
    table agent_key.key_id text not null collate C
    table agent_key.wrapped_key bytea not null
    "
  `);
});

describe('a key', () => {
  it('is unique for each agent, whichever caller is first, and is found by its id', async () => {
    const others = Array.from({ length: 3 }, () => opened(urlOf(roles.writer)));
    const asked = [keys, ...others].flatMap((store) => Array.from({ length: 10 }, () => store.current('many')));
    const made = await Promise.all(asked);
    expect(new Set(made.map(({ keyId, bytes }) => `${keyId} ${bytes.toString('hex')}`)).size).toBe(1);
    expect(await keys.find(made[0]?.keyId ?? '')).toEqual(made[0]);
    expect((await keys.current('another')).keyId).not.toBe(made[0]?.keyId);
  });

  it('that is destroyed cannot be read by any process, and the next key differs', async () => {
    const other = opened(urlOf(roles.reader));
    const { keyId, bytes } = await keys.current('gone');
    expect(await other.find(keyId)).not.toBeNull();
    expect(await keys.destroy('gone')).toEqual([keyId]);
    expect([await other.find(keyId), await keys.find(keyId)]).toEqual([null, null]);
    expect(await keys.destroy('gone')).toEqual([]);
    const next = await keys.current('gone');
    expect(next.keyId).not.toBe(keyId);
    expect(next.bytes.equals(bytes)).toBe(false);
    expect(await keys.standing([keyId, next.keyId])).toEqual(new Set([next.keyId]));
  });

  it('is created and destroyed concurrently, and every key that was returned existed', async () => {
    const work = Array.from({ length: 60 }, (_, n) => (n % 3 === 2 ? keys.destroy('torn') : keys.current('torn')));
    const outcomes = await Promise.allSettled(work);
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason as unknown);
    expect(failed.every((error) => error instanceof KeyStoreUnavailableError)).toBe(true);
    await keys.destroy('torn');
    expect(await keys.destroy('torn')).toEqual([]);
  });
});

describe('the rights of a role', () => {
  it.each([
    [roles.writer, 'UPDATE personal_data.agent_key SET created_at = now()'],
    [roles.writer, 'TRUNCATE personal_data.agent_key'],
    [roles.writer, 'CREATE TABLE personal_data.mine (n int)'],
    [roles.reader, 'DELETE FROM personal_data.agent_key'],
    [roles.reader, "INSERT INTO personal_data.agent_key VALUES ('k', 'a', '', now())"],
  ])('do not include, as %s: %s', async (role, statement) => {
    const client = new pg.Client({ connectionString: urlOf(role) });
    await client.connect();
    onTestFinished(() => client.end());
    await expect(client.query(statement)).rejects.toThrow('permission denied');
  });

  it('are enforced: a role that can only read cannot destroy, and the failure is permanent', async () => {
    const refused = opened(urlOf(roles.reader)).destroy('many');
    await expect(refused).rejects.toThrow('permission denied');
    await expect(refused).rejects.not.toBeInstanceOf(KeyStoreUnavailableError);
  });
});

describe('a store', () => {
  it('with another PERSONAL_DATA_KEY is reported before its first use', async () => {
    await keys.current('many');
    await expect(keys.check()).resolves.toBeUndefined();
    const wrong = opened(urlOf(roles.writer), wrappingKeyOf('a secret that wrapped none of these keys'));
    await expect(wrong.check()).rejects.toThrow('PERSONAL_DATA_KEY');
  });

  it('that is unreachable is distinguished from a destroyed key', async () => {
    const proxy = await faultProxy(urlOf(roles.writer));
    onTestFinished(() => proxy.close());
    const store = opened(proxy.url);
    const { keyId } = await store.current('many');
    proxy.refuse();
    proxy.cut();
    await expect(store.find(keyId)).rejects.toBeInstanceOf(KeyStoreUnavailableError);
    await expect(store.destroy('many')).rejects.toBeInstanceOf(KeyStoreUnavailableError);
    proxy.accept();
    expect((await store.find(keyId))?.keyId).toBe(keyId);
  });
});

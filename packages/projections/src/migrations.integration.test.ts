import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadMigrations, type Migration, migrate, MigrationError } from './migrations.ts';
import { createFixture, type Fixture } from './testing/fixture.ts';

let fixture: Fixture;
let migrations: Migration[];
beforeAll(async () => {
  fixture = await createFixture();
  migrations = await loadMigrations([new URL('./testing/migrations/', import.meta.url)]);
});
afterAll(() => fixture.close());

describe('migrations', () => {
  it('are applied in order of their numbers, to any schema, once', async () => {
    const client = await fixture.connect();
    expect(await migrate(client, { schema: 'elsewhere', migrations: migrations.slice(0, 1) })).toEqual([1]);
    expect(await migrate(client, { schema: 'elsewhere', migrations })).toEqual([2]);
    expect(await migrate(client, { schema: 'elsewhere', migrations })).toEqual([]);
    expect(await fixture.query(`SELECT to_regclass('elsewhere.movement')::text AS t`)).toEqual([
      { t: 'elsewhere.movement' },
    ]);
  });

  it('meet no trouble when many processes start together', async () => {
    const clients = await Promise.all(Array.from({ length: 8 }, () => fixture.connect()));
    const applied = await Promise.all(clients.map((client) => migrate(client, { schema: 'together', migrations })));
    expect(applied.flat().sort((a, b) => a - b)).toEqual([1, 2]);
  });

  it('refuse a text that was changed after it had been applied', async () => {
    const client = await fixture.connect();
    await migrate(client, { schema: 'changed', migrations });
    const changed = migrations.map((migration) => ({ ...migration, checksum: 'other' }));
    await expect(migrate(client, { schema: 'changed', migrations: changed })).rejects.toThrow(MigrationError);
  });

  it('refuse a schema that is newer than the code', async () => {
    const client = await fixture.connect();
    await migrate(client, { schema: 'newer', migrations });
    await expect(migrate(client, { schema: 'newer', migrations: migrations.slice(0, 1) })).rejects.toThrow(
      MigrationError,
    );
  });

  it('leave nothing behind when one fails', async () => {
    const client = await fixture.connect();
    const broken = [...migrations, { number: 3, name: 'broken', sql: 'CREATE TABLE x (); SELECT 1/0', checksum: 'c' }];
    await expect(migrate(client, { schema: 'failing', migrations: broken })).rejects.toThrow('division by zero');
    expect(await fixture.query(`SELECT 1 FROM pg_namespace WHERE nspname = 'failing'`)).toEqual([]);
  });
});

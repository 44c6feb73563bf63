import { expect, it } from 'vitest';
import { natsVersionFault, natsVersionMin, postgresMajorMin, postgresVersionFault } from './server-versions.ts';

it('refuses Postgres before the oldest major version, and says which was found and which is needed', () => {
  expect(postgresVersionFault(postgresMajorMin * 10_000)).toBeNull();
  expect(postgresVersionFault(180_001)).toBeNull();
  expect(postgresVersionFault(150_018)).toBe(
    'it is Postgres 15, and Postgres 16 or later is needed: upgrade the server, or name another one',
  );
  // Before 10, a major version had two numbers.
  expect(postgresVersionFault(90_624)).toContain('it is Postgres 9');
});

it('compares versions of nats-server by number, not by text', () => {
  for (const version of [natsVersionMin, '2.9.10', '2.10.1', 'v2.11.0-beta.1', '10.0.0']) {
    expect(natsVersionFault(version)).toBeNull();
  }
  for (const version of ['2.8.4', '1.12.3', 'v2.8.99-RC.1']) expect(natsVersionFault(version)).toContain(version);
});

it('does not refuse what gives no version to compare', () => {
  expect(natsVersionFault('nightly')).toBeNull();
});

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { baseSettings, outboundAllow, replicaBytesWithin, warnOfLoweredReplica } from './base-settings.ts';
import {
  ConfigError,
  durationMs,
  eventLogUrl,
  flag,
  list,
  oneOf,
  port,
  readConfig,
  setting,
  text,
  url,
} from './read-config.ts';

const baseConfigSchema = z.object(baseSettings);
const NATS_URL = 'nats://gateway:hunter2-secret@127.0.0.1:4222';

const faultsOf = (schema: z.ZodObject, env: Record<string, string>): Record<string, string> => {
  try {
    readConfig(schema, env);
  } catch (error) {
    if (error instanceof ConfigError)
      return Object.fromEntries(error.faults.map((fault) => [fault.name, fault.problem]));
    throw error;
  }
  return {};
};

describe('readConfig', () => {
  it('applies defaults and omits optional settings', () => {
    const config = readConfig(baseConfigSchema, { NATS_URL });
    expect(config).toMatchObject({ NATS_URL, LOG_LEVEL: 'info', HEALTH_HOST: '127.0.0.1' });
    expect(config.HEALTH_PORT).toBeUndefined();
    expect(config.INSTANCE_ID).toMatch(/^[0-9a-f]{12}$/);
  });

  it('generates an instance id for each process', () => {
    const ids = [1, 2, 3].map(() => readConfig(baseConfigSchema, { NATS_URL }).INSTANCE_ID);
    expect(new Set(ids).size).toBe(3);
  });

  it('treats an empty variable as unset', () => {
    expect(readConfig(baseConfigSchema, { NATS_URL, LOG_LEVEL: '', HEALTH_PORT: ' ' }).LOG_LEVEL).toBe('info');
    expect(faultsOf(baseConfigSchema, { NATS_URL: '' }).NATS_URL).toMatch(/^is not set; it must be one or more URLs/);
  });

  it('lists every fault with the allowed values', () => {
    expect(faultsOf(baseConfigSchema, { LOG_LEVEL: 'loud', HEALTH_PORT: '65536', INSTANCE_ID: 'a.b' })).toEqual({
      NATS_URL: expect.stringContaining('nats://'),
      LOG_LEVEL: 'must be one of trace, debug, info, warn, error, fatal, silent',
      HEALTH_PORT: 'must be a whole number from 0 to 65535',
      INSTANCE_ID: 'must be 1 to 64 letters, digits, hyphens or underscores',
    });
  });

  it('never repeats a value, even in the message of another schema', () => {
    const schema = z.object({
      ...baseSettings,
      ADMIN_TOKEN: z.string().refine(() => false, { error: (issue) => `bad: ${String(issue.input)}` }),
    });
    const env = {
      NATS_URL: 'http://user:hunter2-secret@h',
      ADMIN_TOKEN: 'hunter3-secret',
      HEALTH_PORT: 'hunter4-secret',
    };
    let message = '';
    try {
      readConfig(schema, env);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(/^Wrong settings: NATS_URL .*; .*HEALTH_PORT/);
    expect(message).not.toMatch(/hunter/);
  });

  it('reads no variable that the schema does not name', () => {
    expect(readConfig(z.object({ A: text(1, 9) }), { A: 'a', ADMIN_KEY: 'k' })).toEqual({ A: 'a' });
  });
});

describe('settings', () => {
  const read = (schema: z.ZodType, value: string): unknown => schema.safeParse(value).data;

  it.each([
    ['250', 250],
    ['250ms', 250],
    ['30s', 30_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    [' 1s ', 1_000],
  ])('reads the duration %j', (given, expected) => expect(read(durationMs(), given)).toBe(expected));

  it.each(['', '-1', '1.5', '1d', 's', '1e3', '0x10', '169h', '999999999999'])('refuses the duration %j', (given) =>
    expect(durationMs().safeParse(given).success).toBe(false),
  );

  it.each([
    [port(), '1', 1],
    [port(), '65535', 65_535],
    [flag(), 'TRUE', true],
    [flag(), '0', false],
    [url('https:'), 'https://a.test/x', 'https://a.test/x'],
    [oneOf('inline', 'smtp'), 'smtp', 'smtp'],
  ])('accepts what is allowed (%#)', (schema, given, expected) => expect(read(schema, given)).toEqual(expected));

  it.each([
    [port(), '0'],
    [port(), '65536'],
    [port(), '80a'],
    [flag(), 'yes'],
    [url('https:'), 'http://a.test'],
    [url('https:'), 'https:a.test'],
    [url('https:'), 'a.test'],
    [oneOf('inline', 'smtp'), 'SMTP'],
    [setting('even', (value) => (Number(value) % 2 === 0 ? Number(value) : undefined)), '3'],
  ])('refuses what is not (%#)', (schema: z.ZodType, given) => expect(schema.safeParse(given).success).toBe(false));
});

describe('a list', () => {
  const schema = z.object({
    HOSTS: list('words', (item) => (/^[a-z]+$/.test(item) ? item : undefined)),
    OTHER: text(0, 3),
  });

  it('is read item by item', () => {
    expect(readConfig(schema, { HOSTS: ' one ,two', OTHER: 'x' }).HOSTS).toEqual(['one', 'two']);
    expect(faultsOf(schema, { OTHER: 'x' })).toEqual({ HOSTS: 'is not set; it must be words' });
  });

  it.each([
    ['long-item', 'item 1 is not'],
    ['one,TWO,THREE', 'item 2 is not'],
    ['one, ,two', 'item 2 is empty'],
    ['one,', 'item 2 is empty'],
    [','.repeat(10_000), 'item 1 is empty'],
    ['a'.repeat(10_001), 'it has more than 10000 characters'],
  ])('names the first fault of a list (%#)', (HOSTS, fault) =>
    expect(faultsOf(schema, { HOSTS, OTHER: 'x' })).toEqual({ HOSTS: `must be words; ${fault}` }),
  );

  // Bug: a secret, a password in a URL, or a line of a log's own appears in the one line that says what is wrong.
  it.each(['https://user:hunter2@app', 'one,hunter2\n{"level":"info"}', `one,${'hunter2'.repeat(1_000)}`])(
    'is never repeated (%#)',
    (HOSTS) => {
      const [problem = ''] = Object.values(faultsOf(schema, { HOSTS, OTHER: 'x' }));
      expect(problem).toMatch(/^must be words; item \d is not$/);
    },
  );

  it('may have 10,000 characters', () =>
    expect(readConfig(schema, { HOSTS: 'a'.repeat(10_000), OTHER: 'x' }).HOSTS).toHaveLength(1));
});

describe('OUTBOUND_ALLOW', () => {
  it.each(['', '10.0.0.0/8', 'agents.internal:8443,[fd00::/8]:443'])('accepts %j', (given) =>
    expect(readConfig(z.object({ OUTBOUND_ALLOW: outboundAllow }), { OUTBOUND_ALLOW: given })).toEqual({
      OUTBOUND_ALLOW: given,
    }),
  );

  it.each([
    ['1.2.3.4/99', 'item 1 is not'],
    ['a.test,', 'item 2 is empty'],
    ['a.test,::1', 'item 2 is not'],
    ['a.test,'.repeat(2_000), 'it has more than 10000 characters'],
  ])('refuses a wrong list (%#)', (OUTBOUND_ALLOW, fault) =>
    expect(faultsOf(z.object({ OUTBOUND_ALLOW: outboundAllow }), { OUTBOUND_ALLOW })['OUTBOUND_ALLOW']).toMatch(
      new RegExp(`^must be host names, .*; ${fault}$`),
    ),
  );
});

it.each([
  'postgres://h/db',
  'postgresql://h/db',
  'esdb://h:2113',
  'esdb+discover://h',
  'kurrentdb://h',
  'kurrentdb+discover://h',
  'esdb://a:2113,b:2113,c:2113?tls=false',
  'esdb://user:p%40ss@a,b:2114,10.0.0.3:2113?tls=true&tlsCAFile=%2Fetc%2Fca.pem&keepAliveInterval=10000',
  'esdb+discover://user:pass@cluster.example:2113/?nodePreference=leader',
])('takes the event log %s', (address) => expect(eventLogUrl().parse(address)).toBe(address));

it.each(['mysql://h/db', 'http://h', 'h:2113', '', 'esdb://', 'esdb://a:x', 'esdb://a,,b', 'esdb://a:2113?tls'])(
  'refuses the event log %j',
  (address) => expect(eventLogUrl().safeParse(address).success).toBe(false),
);

// Bug: a process that may hold more answers than its heap can take dies of it.
describe('REPLICA_BYTES', () => {
  const mib = 1024 * 1024;
  const read = (heapBytes: number, env: Record<string, string> = {}) =>
    readConfig(z.object({ REPLICA_BYTES: replicaBytesWithin(heapBytes) }), env).REPLICA_BYTES;

  it('takes at most half of the heap, also by default', () => {
    expect([read(4096 * mib), read(4096 * mib, { REPLICA_BYTES: '0' })]).toEqual([160 * mib, 0]);
    expect(read(4096 * mib, { REPLICA_BYTES: String(2048 * mib) })).toBe(2048 * mib);
    expect(read(256 * mib)).toBe(128 * mib);
  });

  it('refuses more, and says why', () => {
    const schema = z.object({ REPLICA_BYTES: replicaBytesWithin(200) });
    expect(faultsOf(schema, { REPLICA_BYTES: '101' })).toEqual({
      REPLICA_BYTES: expect.stringMatching(/^must be a whole number from 0 to 100, half of the heap of this process/u),
    });
    expect(faultsOf(schema, { REPLICA_BYTES: '-1' })).toHaveProperty('REPLICA_BYTES');
  });

  it('warns of a default that was lowered, and of nothing else', () => {
    const warnings: object[] = [];
    const logger = { warn: (fields: object) => void warnings.push(fields) } as never;
    warnOfLoweredReplica(read(256 * mib), logger, 256 * mib);
    warnOfLoweredReplica(read(4096 * mib), logger, 4096 * mib);
    warnOfLoweredReplica(64 * mib, logger, 4096 * mib);
    expect(warnings).toEqual([{ bytes: 128 * mib }]);
  });
});

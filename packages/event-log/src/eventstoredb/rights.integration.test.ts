/**
 * Bugs: a service runs with a user that may truncate or delete streams, or change rights; a check of rights writes something; a user that the
 * script makes lacks a right that its service needs, or retention cannot remove what was archived.
 * Method: the scripts of the operator make certificates and users on a stand-in that has TLS and the server's access lists; rights are changed
 * as its administrator changes them.
 */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EventLogDeniedError, EventLogSetupError } from '../errors.ts';
import { openCheckedEventLog, openEventLog, openLogRetention } from '../open-event-log.ts';
import type { NewEvent } from '../port.ts';
import type { LogUse } from '../rights/report.ts';
import { type SecuredServer, startSecuredServer } from './test-server/secured-server.ts';

let secured: SecuredServer;
let said: string[];
beforeAll(async () => {
  secured = await startSecuredServer();
});
afterAll(() => secured.close());
beforeEach(async () => {
  said = [];
  await secured.server.ask('reset');
  await secured.setUpUsers();
});

const event = (type = 'SomethingHappened', data = {}): NewEvent => ({
  eventId: randomUUID(),
  type,
  data,
  metadata: {},
});
const open = async (url: string, use: LogUse, refusesExcess = true): Promise<void> => {
  const rights = { use, refusesExcess, sayExcess: (line: string) => void said.push(line) };
  const log = await openCheckedEventLog(url, { applicationName: 'rights', rights });
  await log.close();
};
const refusalOf = async (url: string, use: LogUse): Promise<string> => {
  const error: unknown = await open(url, use).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(EventLogSetupError);
  return (error as Error).message;
};
const withLog = async <Result>(
  user: string,
  work: (log: Awaited<ReturnType<typeof openEventLog>>) => Promise<Result>,
): Promise<Result> => {
  const log = await openEventLog(secured.urlFor(user));
  return work(log).finally(() => log.close());
};
const writeEvent = (stream: string, type: string, data: object): Promise<void> =>
  secured.asAdmin('POST', `/streams/${encodeURIComponent(stream)}`, data, {
    'es-eventtype': type,
    'es-eventid': randomUUID(),
  });
const writers = ['registry-write', 'call-proxy', 'pay-proxy'];

describe('the users of the script', () => {
  test('have exactly the rights that their services need, and finding that out writes nothing', async () => {
    const before = await secured.server.ask('events');
    for (const writer of writers) await open(secured.urlFor(writer), 'append');
    await open(secured.urlFor('trust-projection'), 'read');
    expect(said).toEqual([]);
    expect(await secured.server.ask('events')).toEqual(before);
  });

  test('append, read and remove what is theirs, and nothing else', async () => {
    const stream = `exchange-${randomUUID()}`;
    const { position } = await withLog('call-proxy', (log) =>
      log.append(stream, [event('ExchangeStarted')], { expectedRevision: 'no_stream' }),
    );
    expect(await withLog('trust-projection', (log) => log.readAll({ after: null, countMax: 9 }))).toMatchObject([
      { stream },
    ]);
    const positionsSha256 = createHash('sha256').update(String(position)).digest('hex');
    const record = [event('ExchangesArchived', { positionsSha256 })];
    const append = (user: string, to: string): Promise<unknown> =>
      withLog(user, (log) => log.append(to, record, { expectedRevision: 'any' }));
    await expect(append('trust-projection', stream)).rejects.toThrow(EventLogDeniedError);
    for (const writer of writers) await expect(append(writer, 'log-archive')).rejects.toThrow(EventLogDeniedError);
    await expect(append('retention', stream)).rejects.toThrow(EventLogDeniedError);
    const archived = await withLog('retention', (log) =>
      log.append('log-archive', record, { expectedRevision: 'any' }),
    );
    const remove = async (user: string): Promise<number> => {
      const retention = await openLogRetention(secured.urlFor(user));
      const what = { recordPosition: archived.position, positions: [position] };
      return retention.remove(what, [stream]).finally(() => retention.close());
    };
    for (const user of [...writers, 'trust-projection'])
      await expect(remove(user)).rejects.toThrow(EventLogDeniedError);
    expect(await remove('retention')).toBe(1);
    expect(await withLog('trust-projection', (log) => log.readStream(stream))).toEqual([]);
  });

  test('are refused with another password, or without one', async () => {
    expect(await refusalOf(secured.urlFor('call-proxy', 'wrong'), 'append')).toContain('does not know the user');
    expect(await refusalOf(secured.urlFor(null), 'read')).toMatch(
      /\(nobody.*lacks reading the log.*set-up-users\.mjs/u,
    );
  });
});

describe('a service', () => {
  test.each([
    ['read', 'call-proxy', 'more than this service needs: appending.'],
    ['append', 'trust-projection', 'lacks appending'],
    ['append', 'retention', 'lacks appending'],
    ['append', 'admin', 'group $admins'],
  ] as const)('that needs to %s does not start as %s', async (use, user, message) => {
    const refused = await refusalOf(secured.urlFor(user), use);
    expect(refused).toContain(message);
    expect(refused).toContain(`the user "${user}"`);
    expect(refused).toContain('run infra/eventstoredb/set-up-users.mjs');
  });

  const everything = { $r: '$all', $w: '$all', $d: '$all', $mr: '$all', $mw: '$all' };
  test.each([
    ['delete', { $d: '$all' }, 'deleting streams'],
    ['write metadata', { $mw: ['registry-writers'] }, 'truncating streams and changing their rights'],
    ['do everything', everything, 'deleting streams'],
  ])('does not start where its user may %s', async (_, rights, named) => {
    await writeEvent('$settings', 'update-default-acl', {
      $userStreamAcl: { ...everything, $d: [], $mw: [], ...rights },
    });
    // The log as a whole cannot be read by these rights: that is missing, and comes first.
    expect(await refusalOf(secured.urlFor('call-proxy'), 'append')).toContain('lacks reading the log ($all)');
    const $systemStreamAcl = { $r: '$all', $mr: '$all', $w: '$admins', $d: '$admins', $mw: '$admins' };
    const $userStreamAcl = { ...everything, $d: [], $mw: [], ...rights };
    await writeEvent('$settings', 'update-default-acl', { $userStreamAcl, $systemStreamAcl });
    expect(await refusalOf(secured.urlFor('call-proxy'), 'append')).toContain(named);
    await secured.setUpUsers();
    await open(secured.urlFor('call-proxy'), 'append');
  });

  test('does not start where its user may change the rights of all', async () => {
    await writeEvent('$$$settings', '$metadata', { $acl: { $w: ['$admins', 'pay-proxy'] } });
    expect(await refusalOf(secured.urlFor('pay-proxy'), 'append')).toContain(
      'changing the rights of all users ($settings)',
    );
    await open(secured.urlFor('call-proxy'), 'append');
  });

  test.each(['$ops', '$admins'])('does not start with a user in the group %s', async (group) => {
    const groups = ['registry-readers', 'registry-writers', group];
    await secured.asAdmin('PUT', '/users/pay-proxy', { fullName: 'pay-proxy', groups });
    expect(await refusalOf(secured.urlFor('pay-proxy'), 'append')).toContain(`group ${group}`);
    await secured.setUpUsers();
    await open(secured.urlFor('pay-proxy'), 'append');
  });

  test('starts with more than it needs where that is allowed, and says so', async () => {
    await open(secured.urlFor('call-proxy'), 'read', false);
    expect(said).toEqual(['the user "call-proxy" of EVENT_LOG_URL may do more than this service needs: appending']);
  });

  test('does not start in production without TLS, where there are no users', async () => {
    expect(await refusalOf('esdb://127.0.0.1:1?tls=false', 'append')).toContain('everything (without TLS');
  });

  test('takes no other server for its own', async () => {
    const other = await startSecuredServer();
    try {
      const url = secured.urlFor('call-proxy').replace(secured.caFile, other.caFile);
      const log = await openEventLog(url);
      const append = log.append('s', [event()], { expectedRevision: 'any', deadlineMs: 500 });
      await expect(append).rejects.toThrow(/could not be made|had no answer/u);
      await log.close();
    } finally {
      await other.close();
    }
  });
});

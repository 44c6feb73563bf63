/**
 * Bugs: a user of the event log has a right that its service must not have; a second run changes rights or records the format again; a log is
 * prepared with a format that the services refuse; a certificate is not trusted by the services.
 * Method: the operator's scripts run against a stand-in of the server with TLS, users and access lists, over its HTTP interface; the services'
 * own client opens the log. packages/event-log/src/eventstoredb/rights.integration.test.ts tries what each user may do.
 */
import { join, resolve } from 'node:path';
import { serviceKinds } from '@agent-trust/dev-stack';
import { EventLogSetupError, openCheckedEventLog } from '@agent-trust/event-log';
import { passwordsOfScript, type SecuredServer, startSecuredServer } from '@agent-trust/event-log/secured-test-server';
import { afterAll, beforeAll, expect, it } from 'vitest';

const { archiveRights, archiveStream, rights, users } = (await import(
  join(resolve(import.meta.dirname, '../..'), 'infra/eventstoredb/set-up-users.mjs')
)) as {
  users: Record<string, string[]>;
  rights: Record<'$userStreamAcl' | '$systemStreamAcl', Record<string, string | string[]>>;
  archiveStream: string;
  archiveRights: Record<string, string[]>;
};

let secured: SecuredServer;
beforeAll(async () => {
  secured = await startSecuredServer();
});
afterAll(() => secured.close());

/** The streams of the server's own events, in the order in which they were written. */
const written = async (): Promise<string[]> => (await secured.server.ask('events')).map(({ stream }) => stream);
const open = async (url: string): Promise<void> => (await openCheckedEventLog(url)).close();

it('lets writers append, the projection read, and retention alone delete', () => {
  const may = (user: string, right: string): boolean =>
    [rights.$userStreamAcl[right] ?? []].flat().some((group) => users[user]?.includes(group) === true);
  const allRights = ['$r', '$w', '$d', '$mr', '$mw'];
  for (const { name, eventLog } of serviceKinds.filter((kind) => kind.eventLog !== 'none')) {
    const allowed = allRights.filter((right) => may(name, right));
    expect([name, allowed]).toEqual([name, eventLog === 'writer' ? ['$r', '$w', '$mr'] : ['$r', '$mr']]);
  }
  expect(allRights.filter((right) => may('retention', right))).toEqual(['$r', '$d', '$mr']);
  expect(rights.$systemStreamAcl).toMatchObject({ $w: '$admins', $d: '$admins', $mw: '$admins' });
  expect([archiveStream, archiveRights]).toEqual(['log-archive', { $w: ['$admins', 'registry-retention'] }]);
});

it('says what is missing, and changes nothing without the password of the administrator', async () => {
  await expect(secured.setUpUsers({})).rejects.toThrow('EVENTSTOREDB_REGISTRY_WRITE_PASSWORD');
  const wrong = { ...passwordsOfScript, EVENTSTOREDB_ADMIN_PASSWORD: 'wrong' };
  await expect(secured.setUpUsers(wrong)).rejects.toThrow('ADMIN_PASSWORD right?');
  expect(await written()).toEqual([]);
});

it('makes the users, the format and the rights, and changes passwords alone when it is repeated', async () => {
  await expect(open(secured.urlFor('call-proxy'))).rejects.toThrow(EventLogSetupError);
  const { stdout } = await secured.setUpUsers();
  expect(stdout).not.toContain('pw-of-');
  expect(stdout.split('\n').filter((line) => line.startsWith('user '))).toEqual(
    Object.entries(users).map(([user, groups]) => `user ${user}: ${groups.join(', ')}`),
  );
  // With the rights, services can start, and would look for the format.
  const once = ['$$agent-trust-log', `$$${archiveStream}`];
  expect(await written()).toEqual([...once, '$settings']);
  for (const { name } of serviceKinds.filter((kind) => kind.eventLog !== 'none')) await open(secured.urlFor(name));
  await secured.setUpUsers({ ...passwordsOfScript, EVENTSTOREDB_CALL_PROXY_PASSWORD: 'another' });
  expect(await written()).toEqual([...once, '$settings', '$settings']);
  await expect(open(secured.urlFor('call-proxy'))).rejects.toThrow('does not know the user of EVENT_LOG_URL');
  await open(secured.urlFor('call-proxy', 'another'));
});

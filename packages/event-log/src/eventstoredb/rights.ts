import { randomUUID } from 'node:crypto';
import { EventLogDeniedError, EventLogError, WrongExpectedRevisionError } from '../errors.ts';
import { eventLogLimits } from '../limits.ts';
import type { LogUse, RightsFault, RightsReport } from '../rights/report.ts';
import { appendWithRetries } from './append.ts';
import { Connection } from './connection.ts';
import { readConnectionString } from './connection-string.ts';
import { removalFailure } from './failures.ts';
import { type Reader, readerOf } from './read.ts';

/** A stream that never exists. */
const neverWritten = 'agent-trust-rights-check';
/** A revision that no stream reaches. */
const impossible = 2n ** 52n;
const setUp = 'run infra/eventstoredb/set-up-users.mjs (docs/eventstoredb.md)';

/**
 * What is wrong with the rights of the user of `url`. The server does not tell a user its rights, so each is tried with a call that cannot succeed:
 * an append or a deletion that expects a revision which no stream has. The server looks at the right first and at the revision then, so the
 * answer is 'access denied' or 'wrong expected version', and nothing changes. Rejects with `EventLogError`.
 */
export async function inspectEventStoreDbRights(url: string, use: LogUse, name: string): Promise<RightsReport> {
  const closing = new AbortController();
  const address = readConnectionString(url, `${name} (rights)`);
  if (!address.isTls) {
    const mend =
      'give the server TLS and users, and name one with its password in EVENT_LOG_URL (docs/eventstoredb.md)';
    return {
      user: '(nobody)',
      faults: [{ kind: 'excess', right: 'everything (without TLS, there are no users)', mend }],
    };
  }
  const connection = new Connection(address, closing.signal);
  const reader = readerOf(connection, eventLogLimits.readDeadlineMs);
  try {
    const [missing, held, groups] = await Promise.all([
      missingReads(reader),
      heldRights(connection, reader),
      groupsOf(connection, address.user),
    ]);
    const fault = (kind: RightsFault['kind'], right: string): RightsFault => ({ kind, right, mend: setUp });
    const needed = use === 'append' ? ['appending'] : [];
    return {
      user: address.user === null ? '(nobody, or of a certificate)' : JSON.stringify(address.user),
      faults: [
        ...missing.map((right) => fault('missing', right)),
        ...needed.filter((right) => !held.includes(right)).map((right) => fault('missing', right)),
        ...held.filter((right) => !needed.includes(right)).map((right) => fault('excess', right)),
        ...groups
          .filter((group) => group === '$admins' || group === '$ops')
          .map((group) => fault('excess', `group ${group}`)),
      ],
    };
  } finally {
    closing.abort();
    connection.close();
  }
}

/** Null if the call was refused for want of a right. */
const unlessDenied = async <Result>(call: Promise<Result>): Promise<Result | null> => {
  try {
    return await call;
  } catch (error) {
    if (error instanceof EventLogDeniedError) return null;
    throw error;
  }
};

const missingReads = async (reader: Reader): Promise<string[]> => {
  const tried = await Promise.all([
    unlessDenied(reader.readAll(null, 1)).then((events) => events === null && 'reading the log ($all)'),
    unlessDenied(reader.readStream(neverWritten, {})).then((events) => events === null && 'reading streams'),
    unlessDenied(reader.systemEvent('$$agent-trust-log').then(() => true)).then(
      (it) => it === null && 'reading metadata',
    ),
  ]);
  return tried.filter((right) => right !== false);
};

const heldRights = async (connection: Connection, reader: Reader): Promise<string[]> => {
  const mayAppend = async (stream: string, type: string): Promise<boolean> => {
    const events = [{ eventId: randomUUID(), type, data: '{}', metadata: '{}' }];
    const append = appendWithRetries(
      connection,
      reader,
      { stream, events, bytes: 0 },
      impossible,
      eventLogLimits.appendDeadlineMs,
    );
    const expected = append.catch((error: unknown) => {
      if (!(error instanceof WrongExpectedRevisionError)) throw error;
    });
    return (await unlessDenied(expected.then(() => true))) !== null;
  };
  const mayDelete = async (): Promise<boolean> => {
    const node = await connection.node(eventLogLimits.connectDeadlineMs);
    const deletion = node.tombstone(neverWritten, impossible, eventLogLimits.readDeadlineMs).catch((cause: unknown) => {
      connection.failed(node, cause);
      const outcome = removalFailure(neverWritten, cause);
      if (outcome instanceof EventLogError) throw outcome;
    });
    return (await unlessDenied(deletion.then(() => true))) !== null;
  };
  const tried = await Promise.all([
    mayAppend(neverWritten, 'RightsChecked').then((may) => may && 'appending'),
    mayAppend(`$$${neverWritten}`, '$metadata').then((may) => may && 'truncating streams and changing their rights'),
    mayDelete().then((may) => may && 'deleting streams'),
    mayAppend('$settings', 'update-default-acl').then((may) => may && 'changing the rights of all users ($settings)'),
  ]);
  return tried.filter((right) => right !== false);
};

/** The user's groups; none where the server does not tell, as with users from elsewhere: the rights above are tried all the same. */
const groupsOf = async (connection: Connection, user: string | null): Promise<string[]> => {
  if (user === null) return [];
  try {
    const node = await connection.node(eventLogLimits.connectDeadlineMs);
    return await node.groupsOf(user, eventLogLimits.readDeadlineMs);
  } catch {
    return [];
  }
};

// Makes the users of the event log and their rights, in EventStoreDB or KurrentDB 21.10 and later, as its administrator. Repeating it changes nothing
// but the passwords. Needs Node only; docs/eventstoredb.md explains the rights.
//
//   EVENTSTOREDB_ADDRESS=https://node-1:2113 NODE_EXTRA_CA_CERTS=ca.crt EVENTSTOREDB_ADMIN_PASSWORD=… EVENTSTOREDB_…_PASSWORD=… \
//     node infra/eventstoredb/set-up-users.mjs
import { randomUUID } from 'node:crypto';

/** As in packages/event-log/src/log-format.ts: no service may write it. */
export const logFormat = 2;
export const users = {
  'registry-write': ['registry-readers', 'registry-writers'],
  'call-proxy': ['registry-readers', 'registry-writers'],
  'pay-proxy': ['registry-readers', 'registry-writers'],
  'trust-projection': ['registry-readers'],
  // Deletes the streams of archived exchanges, and records that; a scavenge then frees the disk.
  retention: ['registry-readers', 'registry-retention', '$ops'],
};
const readers = ['$admins', 'registry-readers'];
/** $r reads, $w appends, $d deletes a stream; $mr and $mw read and write its metadata, which has its own rights and can truncate it. */
export const rights = {
  $userStreamAcl: {
    $r: readers,
    $w: ['$admins', 'registry-writers'],
    $d: ['$admins', 'registry-retention'],
    $mr: readers,
    $mw: '$admins',
  },
  // Of the server's own streams. The log as a whole, $all, is one.
  $systemStreamAcl: { $r: readers, $w: '$admins', $d: '$admins', $mr: readers, $mw: '$admins' },
};
/** The stream of the records of what was archived has a right of its own: no service appends to it, and retention appends to nothing else. */
export const archiveStream = 'log-archive';
export const archiveRights = { $w: ['$admins', 'registry-retention'] };

const passwordName = (user) => `EVENTSTOREDB_${user.replaceAll('-', '_').toUpperCase()}_PASSWORD`;

export async function setUp(address, env, say) {
  const needed = ['admin', ...Object.keys(users)].map(passwordName);
  const missing = needed.filter((name) => !env[name]);
  if (missing.length > 0) throw new Error(`Set ${missing.join(', ')}.`);
  const authorization = `Basic ${Buffer.from(`admin:${env[passwordName('admin')]}`).toString('base64')}`;
  const send = async (method, path, body, headers = {}) => {
    const answer = await fetch(`${address}${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, text };
  };
  const sent = async (what, ...request) => {
    const { status, text } = await send(...request);
    if (status >= 300) throw new Error(`${what} was refused: ${status} ${text.slice(0, 200)}`);
  };

  for (const [user, groups] of Object.entries(users)) {
    const { status } = await send('GET', `/users/${user}`);
    const data = { fullName: `Agent Trust Registry: ${user}`, groups };
    const password = env[passwordName(user)];
    if (status === 404) await sent(`Making ${user}`, 'POST', '/users/', { loginName: user, ...data, password });
    else if (status === 200) {
      await sent(`Changing ${user}`, 'PUT', `/users/${user}`, data);
      const reset = { newPassword: password };
      await sent(`Changing the password of ${user}`, 'POST', `/users/${user}/command/reset-password`, reset);
    } else throw new Error(`Reading ${user} was refused: ${status}. Is EVENTSTOREDB_ADMIN_PASSWORD right?`);
    say(`user ${user}: ${groups.join(', ')}`);
  }

  const append = (what, stream, type, data, expected) =>
    sent(what, 'POST', `/streams/${encodeURIComponent(stream)}`, data, {
      'es-eventtype': type,
      'es-eventid': randomUUID(),
      ...(expected === undefined ? {} : { 'es-expectedversion': String(expected) }),
    });
  // In this order: with the rights, services can start, and would look for the format.
  const metadataOf = async (stream) => {
    const { status, text } = await send('GET', `/streams/${stream}/metadata`, undefined, {
      accept: 'application/json',
    });
    return status === 200 && text !== '' ? JSON.parse(text) : {};
  };
  const recorded = await metadataOf('agent-trust-log');
  if (recorded.agentTrustLogFormat === undefined) {
    await append('Recording the format of the log', '$$agent-trust-log', '$metadata', {
      agentTrustLogFormat: logFormat,
    });
  }
  const ofArchive = await metadataOf(archiveStream);
  if (JSON.stringify(ofArchive.$acl) !== JSON.stringify(archiveRights)) {
    const metadata = { ...ofArchive, $acl: archiveRights };
    await append('Setting the rights of the archive', `$$${archiveStream}`, '$metadata', metadata);
  }
  await append('Setting the rights', '$settings', 'update-default-acl', rights);
  say('rights: set');
}

if (import.meta.main) {
  const address = process.env.EVENTSTOREDB_ADDRESS;
  if (!address) {
    process.stderr.write('Set EVENTSTOREDB_ADDRESS, such as https://node-1:2113.\n');
    process.exit(2);
  }
  try {
    await setUp(address.replace(/\/+$/u, ''), process.env, (line) => process.stdout.write(`${line}\n`));
  } catch (error) {
    process.stderr.write(`${error.cause?.message ?? error.message}\n`);
    process.exit(1);
  }
}

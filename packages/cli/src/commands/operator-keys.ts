import { UsageError } from '../errors.ts';
import { timeText } from '../output/agent-view.ts';
import { safeLine } from '../output/safe-text.ts';
import { ask, type Command, command } from '../program/command.ts';
import { expiryOf } from '../program/lifetime.ts';
import { given, text } from '../program/option.ts';

export const roles = ['viewer', 'operator', 'admin'] as const;
type Role = (typeof roles)[number];

export function isRole(value: string | undefined): value is Role {
  return (roles as readonly (string | undefined)[]).includes(value);
}

const create = command({
  path: ['ops', 'key', 'create'],
  summary: 'Create a key for an operator, a person or a machine; it is shown once.',
  description:
    'Needs the role admin. What is done with the key is recorded under its name. viewer reads; operator also suspends, disables and voids; ' +
    'admin also decides over keys and personal data.',
  options: {
    name: text('--name <name>', 'who acts with it: a-z, 0-9, ".", "_", "@", "-"; it cannot be erased'),
    role: text('--role <role>', 'what it may do: viewer, operator or admin', roles),
    expires: text('--expires <when>', 'days, like 30d, or a time in RFC 3339; default 90 days'),
  },
  examples: {
    'For a machine, for a month':
      'agent-trust ops key create --name deploy-bot --role operator --expires 30d --admin-token-file .data/secrets.json',
  },
  run: async ({ options: { name, role, expires }, context }) => {
    if (name === undefined) throw new UsageError('--name is missing');
    if (!isRole(role)) throw new UsageError(`--role takes ${roles.join(', ')}`);
    const body = { name, role, ...given({ expires_at: expires === undefined ? undefined : expiryOf(expires) }) };
    await ask(
      context,
      ['admin'],
      ({ ops }, asked) => ops.createKey(body, asked),
      (made, out) => {
        out.line(safeLine(made.key));
        out.note(safeLine(`${made.name} acts as ${made.role} with it until ${timeText(made.expires_at)}.`));
      },
    );
  },
});

const list = command({
  path: ['ops', 'key', 'list'],
  summary: "The operators' keys: whose they are, what they may do, until when.",
  description: 'Needs the role viewer.',
  examples: { 'Who operates the registry?': 'agent-trust ops key list --admin-token-file .data/secrets.json' },
  run: async ({ context }) => {
    await ask(
      context,
      ['admin'],
      ({ ops }, asked) => ops.keys(asked),
      (keys, out) =>
        out.table(
          ['NAME', 'ROLE', 'STATUS', 'EXPIRES', 'LAST USED', 'CREATED BY', 'ID'],
          keys.map((key) => [
            safeLine(key.name),
            key.role,
            key.status,
            timeText(key.expires_at),
            key.last_used_at === null ? '-' : timeText(key.last_used_at),
            safeLine(key.created_by.id ?? '(break-glass)'),
            safeLine(key.key_id),
          ]),
        ),
    );
  },
});

const revoke = command({
  path: ['ops', 'key', 'revoke'],
  summary: 'Revoke the key of an operator: it fails at once, everywhere.',
  description: 'Needs the role admin.',
  arguments: [{ name: 'key', description: 'name or id of the key' }],
  options: { reason: text('--reason <text>', 'why, for the log; it cannot be erased') },
  examples: {
    'It was in a build log':
      'agent-trust ops key revoke deploy-bot --reason "Was in a build log" --admin-token-file .data/secrets.json',
  },
  run: async ({ args: [key = ''], options: { reason }, context }) => {
    if (reason === undefined || reason === '') throw new UsageError('say why: --reason <text>');
    await ask(
      context,
      ['admin'],
      ({ ops }, asked) => ops.revokeKey(key, reason, asked),
      (revoked, out) => out.line(safeLine(`${revoked.name} is revoked since ${revoked.revoked_at}: ${revoked.reason}`)),
    );
  },
});

const whoami = command({
  path: ['ops', 'whoami'],
  summary: 'Which operator a key or token is of, and what it may do.',
  description: 'Needs the role viewer.',
  examples: { 'Whose key is this?': 'agent-trust ops whoami --admin-token-file .data/secrets.json' },
  run: async ({ context }) => {
    await ask(
      context,
      ['admin'],
      ({ ops }, asked) => ops.whoami(asked),
      (who, out) =>
        out.fields([
          ['operator', safeLine(who.name ?? '(break-glass)')],
          ...(who.issuer === null ? [] : [['issuer', safeLine(who.issuer)] as const]),
          ['role', who.role],
          ['credential', who.credential],
          ...(who.expires_at === null ? [] : [['expires', timeText(who.expires_at)] as const]),
        ]),
    );
  },
});

/** `agent-trust ops whoami` and `agent-trust ops key …` */
export const operatorKeyCommands: readonly Command[] = [whoami, create, list, revoke];

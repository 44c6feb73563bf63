import { UsageError } from '../errors.ts';
import { timeText } from '../output/agent-view.ts';
import { safeLine } from '../output/safe-text.ts';
import { ask, type Command, command, orSandbox } from '../program/command.ts';
import { expiryOf, secondsOf } from '../program/lifetime.ts';
import { given, text } from '../program/option.ts';

const knownScopes = ['register', 'read', 'payments', 'webhooks'] as const;
type Scope = (typeof knownScopes)[number];
const isScope = (word: string): word is Scope => (knownScopes as readonly string[]).includes(word);

const scopesOf = (list: string | undefined): Scope[] => {
  const words = (list ?? '').split(',').map((word) => word.trim());
  const scopes = words.filter(isScope);
  if (scopes.length < words.length)
    throw new UsageError(`--scopes takes some of ${knownScopes.join(', ')}, with commas; not "${list ?? ''}"`);
  return scopes;
};

const keyArgument = { name: 'key', description: 'name or id of the key' };
const expires = text('--expires <when>', 'days, like 30d, or a time in RFC 3339');
const byOwnKey = "Needs the organisation's own key: the production key, or with --sandbox the sandbox key.";

const create = command({
  path: ['org', 'keys', 'create'],
  summary: 'Create a named key with scopes; it is shown once.',
  description:
    `${byOwnKey} register: register agents and act as their owner; read: read agents, their events and domains; payments: read payments; ` +
    'webhooks: set up and follow webhooks. Without --expires it works for 90 days.',
  options: {
    name: text('--name <name>', 'what it is for: a-z, 0-9, ".", "_", "@", "-"; it cannot be erased'),
    scopes: text('--scopes <list>', `what it may do: ${knownScopes.join(', ')}, with commas`),
    expires,
  },
  examples: { 'For deployments': 'agent-trust org keys create --name deploy --scopes register,read --expires 180d' },
  run: async ({ options: { name, scopes, expires: end }, context }) => {
    if (name === undefined) throw new UsageError('--name is missing');
    const expiry = given({ expires_at: end === undefined ? undefined : expiryOf(end) });
    const body = { name, scopes: scopesOf(scopes), ...expiry };
    await ask(
      context,
      orSandbox(context, 'org'),
      (client, asked) => client.org.createNamedKey(body, asked),
      (made, out) => {
        out.line(safeLine(made.api_key));
        out.note(safeLine(`${made.name} may ${made.scopes.join(', ')} with it until ${timeText(made.expires_at)}.`));
      },
    );
  },
});

const list = command({
  path: ['org', 'keys', 'list'],
  summary: "The organisation's named keys: what they may do, until when.",
  description: byOwnKey,
  examples: { 'Which keys are there?': 'agent-trust org keys list' },
  run: async ({ context }) => {
    await ask(
      context,
      orSandbox(context, 'org'),
      (client, asked) => client.org.namedKeys(asked),
      (keys, out) =>
        out.table(
          ['NAME', 'SCOPES', 'STATUS', 'EXPIRES', 'FORMER ENDS', 'LAST USED', 'ID'],
          keys.map((key) => [
            safeLine(key.name),
            key.scopes.join(','),
            key.status,
            timeText(key.expires_at),
            key.former_key_ends_at === null ? '-' : timeText(key.former_key_ends_at),
            key.last_used_at === null ? '-' : timeText(key.last_used_at),
            safeLine(key.key_id),
          ]),
        ),
    );
  },
});

const replace = command({
  path: ['org', 'keys', 'replace'],
  summary: 'Give a named key another secret, shown once; the former one goes on working for a while.',
  description: `${byOwnKey} Without --expires the new secret works for as long as the former one was made for.`,
  arguments: [keyArgument],
  options: {
    overlap: text('--overlap <time>', 'how long the former secret works: 90s, 15m, 24h, 7d or 0; default 24h'),
    expires,
  },
  examples: { 'Within an hour': 'agent-trust org keys replace deploy --overlap 1h' },
  run: async ({ args: [key = ''], options: { overlap, expires: end }, context }) => {
    const body = given({
      overlap_seconds: overlap === undefined ? undefined : secondsOf('--overlap', overlap),
      expires_at: end === undefined ? undefined : expiryOf(end),
    });
    await ask(
      context,
      orSandbox(context, 'org'),
      (client, asked) => client.org.replaceNamedKey(key, body, asked),
      (made, out) => {
        out.line(safeLine(made.api_key));
        out.note(
          safeLine(
            `It works until ${timeText(made.expires_at)}, the former one until ${timeText(made.former_key_ends_at)}.`,
          ),
        );
      },
    );
  },
});

const revoke = command({
  path: ['org', 'keys', 'revoke'],
  summary: 'Revoke a named key: it fails at once, everywhere.',
  description: byOwnKey,
  arguments: [keyArgument],
  examples: { 'It is no longer used': 'agent-trust org keys revoke deploy' },
  run: async ({ args: [key = ''], context }) => {
    await ask(
      context,
      orSandbox(context, 'org'),
      (client, asked) => client.org.revokeNamedKey(key, asked),
      (revoked, out) => out.line(safeLine(`${revoked.name} is revoked since ${revoked.revoked_at}.`)),
    );
  },
});

/** `agent-trust org keys …`. Their examples follow one another. */
export const organisationKeyCommands: readonly Command[] = [create, list, replace, revoke];

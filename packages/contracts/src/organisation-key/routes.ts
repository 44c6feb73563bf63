import { z } from 'zod';
import { keyName } from '../credentials/key-name.ts';
import { errorBody } from '../errors.ts';
import { answer, commandErrors, type Route, route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { moment, nullableMoment, text, timestamp } from '../text.ts';
import { onWire } from '../wire-form.ts';
import { organisationKeyView } from './rpc.ts';
import { organisationScope } from './scope.ts';

const byOwnKeys = {
  tag: 'Organisations',
  credentials: ['organisation'],
  organisationScope: 'none',
} satisfies Pick<Route, 'tag' | 'credentials' | 'organisationScope'>;

const shown = {
  key_id: z.string().describe('Identifies the key.'),
  name: z.string().describe('What the organisation calls it.'),
};
const scopes = z.array(organisationScope).describe('What it may do.');
const secret = z.string().describe('The key, for X-API-KEY.');
const isSandbox = z.boolean().describe("Whether it opens the organisation's sandbox instead of production.");
const expiresAt = moment('Until when it works');
const requestedExpiry = (unless: string): z.ZodOptional<typeof timestamp> =>
  timestamp
    .optional()
    .describe(`Until when it works, RFC 3339: at most ${limits.orgKeyDaysMax} days; default: ${unless}.`);

const example = {
  key_id: '7d9c1a52-6f0e-4b8a-9d3c-2b1a0f9e8d7c',
  name: 'deploy',
  scopes: ['register', 'read'] as ('register' | 'read')[],
};
const times = { created_at: '2026-01-15T09:30:00.000Z', expires_at: '2026-04-15T09:30:00.000Z' };
const exampleKey = `registry-org-sk-${'EXAMPLE'.repeat(6)}A`;

/** If it is unknown whether a key was made, or readers may not see it yet, its owner still gets it: it is shown only this once. */
export const namedKeyIssuedAnyway = errorBody
  .extend({ api_key: secret.optional(), key_id: shown.key_id.optional() })
  .meta({ id: 'OrgNamedKeyIssuedAnyway', description: 'A refusal after which the new key may be valid.' });

export const createOrgNamedKeyRoute = route({
  ...byOwnKeys,
  method: 'POST',
  secret: true,
  path: '/org/keys',
  operationId: 'createOrgKey',
  summary: 'Create a named key with scopes, in the universe of the key of the request',
  description:
    "For a machine that needs less than the organisation's own two keys may do. Only these may call this, never a named key. It works at every " +
    `gateway from the answer on. At most ${limits.orgKeysMax} work at a time in each universe. After a 503 with api_key in its body the key may be valid: keep it.`,
  body: z
    .strictObject({
      name: keyName.describe('What the organisation calls it, in its universe. It cannot be erased.'),
      scopes: z
        .array(organisationScope)
        .min(1, { message: 'must name at least one scope' })
        .max(organisationScope.options.length, {
          message: `must name at most ${organisationScope.options.length} scopes`,
        })
        .describe(
          'What it may do. register: register, update, move, promote and retire agents, ask for their keys, answer their reviews, prove domains; read: ' +
            'read agents, their events, domains and scores; payments: read payments; webhooks: set up and follow webhooks. One that is repeated counts once.',
        ),
      expires_at: requestedExpiry(`${limits.orgKeyDaysDefault} days`),
    })
    .meta({ id: 'OrgNamedKeyRequest', description: 'The key to create.' }),
  bodyExamples: { deployment: { summary: 'For deployments', value: { name: example.name, scopes: example.scopes } } },
  answers: {
    201: answer(
      'The key, shown once.',
      z
        .object({
          ...shown,
          scopes,
          is_sandbox: isSandbox,
          api_key: secret,
          created_at: moment('When it was created'),
          expires_at: expiresAt,
        })
        .meta({ id: 'OrgNamedKeyCreated', description: 'A new named key, which is shown once.' }),
      { ...example, is_sandbox: false, api_key: exampleKey, ...times },
    ),
  },
  errorBodies: { 503: namedKeyIssuedAnyway },
  errorExamples: { read_model_behind: { api_key: exampleKey, key_id: example.key_id } },
  errors: ['org_key_name_taken', 'org_key_limit_reached', ...commandErrors],
});

export const orgNamedKeyWire = onWire(organisationKeyView)
  .extend({
    status: z.enum(['active', 'expired', 'revoked']).describe('Whether it works now.'),
    last_used_at: nullableMoment(
      'When it was last used, to within a minute; null if that is not known or it was never used',
    ),
  })
  .meta({ id: 'OrgNamedKey', description: 'A named key of an organisation, without the secret.' });

export const listOrgNamedKeysRoute = route({
  ...byOwnKeys,
  method: 'GET',
  path: '/org/keys',
  operationId: 'listOrgKeys',
  // An organisation that has used up its reads still decides over its keys.
  countsAs: null,
  summary: "The organisation's named keys in the universe of the key of the request",
  description: `Those that work first, newest first; at most ${limits.orgKeysListedMax}. No key is shown, nor are the organisation's own two.`,
  answers: {
    200: answer('The keys.', z.array(orgNamedKeyWire), [
      {
        ...example,
        ...times,
        replaced_at: '2026-02-15T09:30:00.000Z',
        former_key_ends_at: '2026-02-16T09:30:00.000Z',
        revoked_at: null,
        status: 'active',
        last_used_at: '2026-02-20T11:02:00.000Z',
      },
    ]),
  },
});

const keyParams = z.object({
  key_id: text(64, 1).meta({ description: 'Id or name of the key.', examples: [example.name] }),
});

export const replaceOrgNamedKeyRoute = route({
  ...byOwnKeys,
  method: 'POST',
  secret: true,
  path: '/org/keys/{key_id}/replace',
  operationId: 'replaceOrgNamedKey',
  summary: 'Give a named key another secret, while its former one goes on working for a while',
  description:
    'Its id, name and scopes stay. The former secret fails at every gateway when the overlap ends, and never works for longer than it would have; one that ' +
    'was replaced before it fails at once. After a 503 with api_key in its body the new secret may be valid: keep both until one of them works.',
  params: keyParams,
  body: z
    .strictObject({
      overlap_seconds: z
        .int()
        .min(0)
        .max(limits.orgKeyOverlapSecondsMax)
        .default(limits.orgKeyOverlapSecondsDefault)
        .describe('How long the former secret goes on working; 0: it fails from the answer on.'),
      expires_at: requestedExpiry('as long as the former secret was made for'),
    })
    .meta({ id: 'OrgNamedKeyReplacement', description: 'How a secret is replaced.' }),
  bodyExamples: { hour: { summary: 'Within an hour', value: { overlap_seconds: 3_600 } } },
  answers: {
    200: answer(
      'The new secret, shown once.',
      z
        .object({
          ...shown,
          scopes,
          api_key: secret,
          replaced_at: moment('When it got this secret'),
          expires_at: expiresAt,
          former_key_ends_at: moment('Until when the former secret works'),
        })
        .meta({ id: 'OrgNamedKeyReplaced', description: 'A named key with a new secret, which is shown once.' }),
      {
        ...example,
        api_key: exampleKey,
        replaced_at: '2026-02-15T09:30:00.000Z',
        expires_at: '2026-05-16T09:30:00.000Z',
        former_key_ends_at: '2026-02-15T10:30:00.000Z',
      },
    ),
  },
  errorBodies: { 503: namedKeyIssuedAnyway },
  errorExamples: { read_model_behind: { api_key: exampleKey } },
  errors: ['org_key_not_found', 'org_key_ended', ...commandErrors],
});

export const revokeOrgNamedKeyRoute = route({
  ...byOwnKeys,
  method: 'DELETE',
  path: '/org/keys/{key_id}',
  operationId: 'revokeOrgKey',
  summary: 'Revoke a named key',
  description: 'From the answer on it fails at every gateway, with its former secret. May be repeated.',
  params: keyParams,
  answers: {
    200: answer(
      'Revoked, by this request or before.',
      z
        .object({
          ...shown,
          status: z.literal('revoked').describe('It fails everywhere.'),
          revoked_at: moment('Since when'),
        })
        .meta({ id: 'OrgNamedKeyRevoked', description: 'That a named key is revoked.' }),
      { key_id: example.key_id, name: example.name, status: 'revoked', revoked_at: '2026-03-01T08:00:00.000Z' },
    ),
  },
  errors: ['org_key_not_found', ...commandErrors],
});

/** The routes of named keys, in the order of the OpenAPI document. */
export const organisationKeyRoutes: readonly Route[] = [
  createOrgNamedKeyRoute,
  listOrgNamedKeysRoute,
  replaceOrgNamedKeyRoute,
  revokeOrgNamedKeyRoute,
];

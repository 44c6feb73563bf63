import { z } from 'zod';
import { keyName } from '../credentials/key-name.ts';
import { errorBody } from '../errors.ts';
import { answer, commandErrors, type Route, route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { operatorReason, operatorRoute } from '../operator/operator-route.ts';
import { operatorRole } from '../operator/role.ts';
import { moment, nullableMoment, text, timestamp } from '../text.ts';
import { onWire } from '../wire-form.ts';
import { operatorKeyView } from './rpc.ts';

const operatorName = keyName.describe(
  'Under which name its holder acts, in the audit trail: of a person or a machine. It cannot be erased.',
);

const shown = {
  key_id: z.string().describe('Identifies the key.'),
  name: z.string().describe('Under which name its holder acts.'),
};
const secretKey = z.string().describe('The key, for Authorization: Bearer.');

const example = {
  key_id: '5b0c9f4e-2f6b-4c1e-9a57-0c1d2e3f4a5b',
  name: 'deploy-bot',
  role: 'operator',
  created_at: '2026-01-15T09:30:00.000Z',
  expires_at: '2026-04-15T09:30:00.000Z',
} as const;
const exampleKey = `registry-operator-sk-${'EXAMPLE'.repeat(6)}A`;

/** If it is unknown whether the key was made, or readers may not see it yet, its creator still gets it: it is shown only this once. */
export const operatorKeyIssuedAnyway = errorBody
  .extend({ key: secretKey.optional(), key_id: shown.key_id.optional() })
  .meta({ id: 'OperatorKeyIssuedAnyway', description: 'A refusal after which the new key may be valid.' });

export const operatorKeyCreatedWire = z
  .object({
    ...shown,
    role: operatorRole.describe('What it may do.'),
    key: secretKey,
    created_at: moment('When it was created'),
    expires_at: moment('Until when it works'),
  })
  .meta({ id: 'OperatorKeyCreated', description: 'A new key of an operator, which is shown once.' });

export const createOperatorKeyRoute = route({
  ...operatorRoute,
  operatorRole: 'admin',
  secret: true,
  path: '/ops/keys',
  operationId: 'createOperatorKey',
  summary: 'Create a key for an operator',
  description:
    'For a person or a machine that operates the registry. What is done with the key is recorded under its name. It works at every gateway from the answer on.',
  body: z
    .strictObject({
      name: operatorName,
      role: operatorRole.describe('What it may do: viewer reads, operator also acts, admin also decides over keys.'),
      expires_at: timestamp
        .optional()
        .describe(
          `Until when it works, RFC 3339: at most ${limits.operatorKeyDaysMax} days; default: ${limits.operatorKeyDaysDefault} days.`,
        ),
    })
    .meta({ id: 'OperatorKeyRequest', description: 'The key to create.' }),
  bodyExamples: { machine: { summary: 'For a machine', value: { name: example.name, role: example.role } } },
  answers: {
    201: answer('The key, shown once.', operatorKeyCreatedWire, { ...example, key: exampleKey }),
  },
  errorBodies: { 503: operatorKeyIssuedAnyway },
  errorExamples: { read_model_behind: { key: exampleKey, key_id: example.key_id } },
  errors: ['operator_key_name_taken', 'operator_key_limit_reached', ...commandErrors],
});

export const operatorKeyWire = onWire(operatorKeyView.omit({ operatorKeyId: true }))
  .extend({
    key_id: shown.key_id,
    status: z.enum(['active', 'expired', 'revoked']).describe('Whether it works now.'),
    last_used_at: nullableMoment(
      'When it was last used, to within a minute; null if that is not known or it was never used',
    ),
  })
  .meta({ id: 'OperatorKey', description: 'A key of an operator, without the secret.' });

export const listOperatorKeysRoute = route({
  ...operatorRoute,
  method: 'GET',
  operatorRole: 'viewer',
  path: '/ops/keys',
  operationId: 'listOperatorKeys',
  summary: "The operators' keys",
  description: `Those that work first, newest first; at most ${limits.operatorKeysListedMax}. No key is shown, only whose it is.`,
  answers: {
    200: answer('The keys.', z.array(operatorKeyWire), [
      {
        ...example,
        created_by: { id: 'alice@globex.example', issuer: 'https://login.globex.example' },
        revoked_at: null,
        revoked_for: null,
        status: 'active',
        last_used_at: '2026-01-20T11:02:00.000Z',
      },
    ]),
  },
});

export const operatorKeyRevokedWire = z
  .object({
    ...shown,
    status: z.literal('revoked').describe('It fails everywhere.'),
    reason: z.string().describe('Why, as it was revoked for first.'),
    revoked_at: moment('Since when'),
  })
  .meta({ id: 'OperatorKeyRevoked', description: 'That a key of an operator is revoked.' });
export type OperatorKeyRevokedWire = z.infer<typeof operatorKeyRevokedWire>;

export const revokeOperatorKeyRoute = route({
  ...operatorRoute,
  operatorRole: 'admin',
  path: '/ops/keys/{key}/revoke',
  operationId: 'revokeOperatorKey',
  summary: 'Revoke the key of an operator',
  description:
    'From the answer on it fails at every gateway. May be repeated: what it was revoked for first stands. Keys that were created with it are not revoked.',
  params: z.object({ key: text(64, 1).meta({ description: 'Id or name of the key.', examples: [example.name] }) }),
  body: z
    .strictObject({ reason: operatorReason('the log') })
    .meta({ id: 'OperatorKeyRevocation', description: 'Why the key is revoked.' }),
  bodyExamples: { leak: { summary: 'A leak', value: { reason: 'Was in a build log.' } } },
  answers: {
    200: answer('Revoked, by this request or before.', operatorKeyRevokedWire, {
      key_id: example.key_id,
      name: example.name,
      status: 'revoked',
      reason: 'Was in a build log.',
      revoked_at: '2026-02-01T08:00:00.000Z',
    }),
  },
  errors: ['operator_key_not_found', ...commandErrors],
});

/** The routes of the operators' keys, in the order of the OpenAPI document. */
export const operatorKeyRoutes: readonly Route[] = [
  createOperatorKeyRoute,
  listOperatorKeysRoute,
  revokeOperatorKeyRoute,
];

import { z } from 'zod';
import { credentialKind } from '../actor.ts';
import { answer, route } from '../http/route.ts';
import { nullableMoment, nullableText } from '../text.ts';
import { operatorRoute } from './operator-route.ts';
import { operatorRole } from './role.ts';

export const operatorWhoamiRoute = route({
  ...operatorRoute,
  method: 'GET',
  operatorRole: 'viewer',
  path: '/ops/whoami',
  operationId: 'operatorWhoami',
  summary: 'Which operator a key or token is of',
  description: 'The first request to make with a new key or token of an operator. It shows no key.',
  answers: {
    200: answer(
      'The operator.',
      z
        .object({
          name: nullableText.describe('Under which name the operator acts; null for the token of the installation.'),
          issuer: nullableText.describe('Who vouches for the name; null for the registry itself.'),
          role: operatorRole.describe('What the operator may do, with all that the lesser roles may.'),
          credential: credentialKind
            .extract(['operator_key', 'oidc_token', 'admin_token'])
            .describe(
              'A key, a token of the issuer, or the token of the installation: break-glass, which names nobody.',
            ),
          expires_at: nullableMoment('Until when it works; null for the token of the installation'),
        })
        .meta({ id: 'OperatorWhoami', description: 'The operator of a credential.' }),
      {
        name: 'deploy-bot',
        issuer: null,
        role: 'operator',
        credential: 'operator_key',
        expires_at: '2026-04-15T09:30:00.000Z',
      },
    ),
  },
});

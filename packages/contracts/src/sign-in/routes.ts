import { z } from 'zod';
import { wordHeader } from '../http/headers.ts';
import { answer, commandErrors, type Route, route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { operatorRoute } from '../operator/operator-route.ts';
import { operatorRole } from '../operator/role.ts';
import { operatorKeyCreatedWire, operatorKeyIssuedAnyway } from '../operator-key/routes.ts';
import { moment, text } from '../text.ts';

const exampleCode = `${'EXAMPLE'.repeat(6)}A`;
const exampleSignedIn = {
  key_id: '5b0c9f4e-2f6b-4c1e-9a57-0c1d2e3f4a5b',
  name: 'alice.console-9f2c41d07be3',
  role: 'operator',
  key: `registry-operator-sk-${'EXAMPLE'.repeat(6)}A`,
  created_at: '2026-01-15T09:30:00.000Z',
  expires_at: '2026-01-15T21:30:00.000Z',
} as const;

/** The fragment with which the console's address signs a tab in: no browser sends it to a server. */
export function signInFragment(code: string): string {
  return `#code=${code}`;
}

export const createSignInCodeRoute = route({
  ...operatorRoute,
  secret: true,
  path: '/ops/sign-in-codes',
  operationId: 'createSignInCode',
  summary: 'Create a single-use code that signs a browser in',
  description:
    'For an operator who wants to open the console without pasting a key. Whoever redeems the code gets a key of its own, for a role that is at most ' +
    'the one of who asks, and for no longer than the credential of who asks. ' +
    `The code works once and for ${limits.signInCodeMinutes} minutes; the registry keeps its SHA-256 only. A code of a key that was revoked is worth nothing.`,
  body: z
    .strictObject({
      role: operatorRole.default('operator').describe('What the tab may do: at most what the asking operator may.'),
    })
    .meta({ id: 'SignInCodeRequest', description: 'What the code is for.' }),
  bodyExamples: { usual: { summary: 'To look and to act', value: { role: 'operator' } } },
  answers: {
    201: answer(
      'The code, shown once.',
      z
        .object({
          code: z.string().describe('The code, for POST /ops/sign-in.'),
          link: z.string().describe("The console's address with the code in its fragment, which no browser sends."),
          role: operatorRole.describe('What the tab may do.'),
          expires_at: moment('Until when the code can be redeemed'),
        })
        .meta({ id: 'SignInCode', description: 'A single-use code, which is shown once.' }),
      {
        code: exampleCode,
        link: `http://127.0.0.1:8080/console/${signInFragment(exampleCode)}`,
        role: 'operator',
        expires_at: '2026-01-15T09:45:00.000Z',
      },
    ),
  },
  errors: ['rate_limited'],
});

const ownPagesAlone = wordHeader('No other site loads it.', ['same-origin']);

export const signInRoute = route({
  method: 'POST',
  tag: 'Operations',
  credentials: ['none'],
  secret: true,
  path: '/ops/sign-in',
  operationId: 'signIn',
  summary: 'Redeem a sign-in code for a key',
  description:
    `For the console. The code, from \`npm start\` or POST /ops/sign-in-codes, works once at all gateways together. The key lasts for ${limits.signInKeyHours} hours at most, ` +
    'and its name says that it is of a browser, and of whom. Pages of other origins are refused, also those of CORS_ALLOWED_ORIGINS. ' +
    'A code that is wrong, used or expired is refused in the same words. A code that was redeemed is gone, even if no key could be made.',
  body: z
    .strictObject({ code: text(200, 1).describe('The code.') })
    .meta({ id: 'SignIn', description: 'What the code is redeemed with.' }),
  bodyExamples: { usual: { summary: 'A code', value: { code: exampleCode } } },
  answers: {
    201: answer('The key, shown once.', operatorKeyCreatedWire, exampleSignedIn, {
      headers: { 'Cross-Origin-Resource-Policy': ownPagesAlone },
    }),
  },
  errorBodies: { 503: operatorKeyIssuedAnyway },
  errorExamples: { read_model_behind: { key: exampleSignedIn.key, key_id: exampleSignedIn.key_id } },
  errors: [
    'invalid_sign_in_code',
    'browser_request_refused',
    'rate_limited',
    'operator_key_limit_reached',
    ...commandErrors,
  ],
});

/** In the order of the OpenAPI document. */
export const signInRoutes: readonly Route[] = [createSignInCodeRoute, signInRoute];

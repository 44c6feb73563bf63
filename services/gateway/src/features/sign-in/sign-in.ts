import {
  createSignInCodeRoute,
  DomainError,
  includesRole,
  limits,
  type OperatorRole,
  redeemStartCode,
  signInFragment,
  signInRoute,
} from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import { mintSecret, sha256Hex } from '../../credentials/keys.ts';
import type { Gateway } from '../../gateway.ts';
import { tokenIn } from '../../http/caller/bearer-token.ts';
import { findOperatorKey, isNamed, type Operator } from '../../http/caller/operator/operator.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { clientOf } from '../../rate-limit/client-address.ts';
import { askSupervisor } from '../demo/ask-supervisor.ts';
import { issueOperatorKey } from '../operator/keys.ts';
import { ensureOwnPage } from './ensure-own-page.ts';
import { keyNameFor } from './key-name-for.ts';
import type { SignInOffer } from './sign-in-codes.ts';

const createCode = endpoint(createSignInCodeRoute, async ({ body: { role }, caller, actor, request }, gateway) => {
  const { operator } = caller;
  ensureWithin(operator, role);
  await gateway.signInLimiter.take(`operator ${JSON.stringify([actor.kind, actor.id, actor.issuer])}`);
  const code = mintSecret();
  const { authorization = '' } = request.headers;
  const expiresAt = await gateway.signInCodes.put(sha256Hex(code), {
    role,
    actor,
    keyHash: operator.by === 'operator_key' ? sha256Hex(tokenIn(authorization)) : null,
    credentialEndsAt: isNamed(operator) ? operator.expiresAt : null,
  });
  const link = `${gateway.baseUrl}/console/${signInFragment(code)}`;
  return { code, link, role, expires_at: expiresAt };
});

/** @throws DomainError operator_role_too_low */
const ensureWithin = (operator: Operator, role: OperatorRole): void => {
  if (!isNamed(operator) || (operator.role !== null && includesRole(operator.role, role))) return;
  throw new DomainError(
    'operator_role_too_low',
    `operator ${JSON.stringify(operator.id)} has the role ${operator.role}; a code for the role ${role} needs the role ${role}`,
  );
};

const signIn = endpoint(
  signInRoute,
  async ({ body, request, reply }, gateway) => {
    const codeHash = sha256Hex(body.code);
    const offer = (await gateway.signInCodes.take(codeHash)) ?? (await takeStartCode(gateway, request, codeHash));
    const expiresAt = offer === null ? null : await keyExpiry(gateway, request, offer);
    if (offer === null || expiresAt === null) throw invalidCode();
    const { role, actor } = offer;
    const credentials = [...(actor.credentials ?? []), 'sign_in_code' as const];
    const issued = await issueOperatorKey(gateway, request, {
      name: keyNameFor(actor.id ?? actor.kind),
      role,
      expiresAt,
      actor: { ...actor, credentials },
    });
    reply.header('cross-origin-resource-policy', 'same-origin');
    return issued;
  },
  {
    admit: async (request, _reply, gateway) => {
      ensureOwnPage(request, gateway);
      // Every request of an address counts, even with an invalid body.
      await gateway.signInLimiter.take(`address ${clientOf(request.ip)}`);
    },
  },
);

export const signInEndpoints: readonly Endpoint[] = [createCode, signIn];

/** No operator's key can have this name, since it has a space. */
const startActor: SignInOffer['actor'] = { kind: 'operator', id: 'npm start', credentials: [] };

/** The offer of a code that `npm start` printed, once; null for any other, and where no `npm start` runs. */
const takeStartCode = async (
  gateway: Gateway,
  request: FastifyRequest,
  codeHash: string,
): Promise<SignInOffer | null> => {
  const taken = await askSupervisor(gateway, request, redeemStartCode, { codeHash });
  if (taken === null || taken.role === null) return null;
  return { role: taken.role, actor: startActor, keyHash: null, credentialEndsAt: null };
};

const hourMs = 3_600_000;

/** Until when the key of a code works; null if whoever asked for the code may not sign in any more. */
const keyExpiry = async (
  gateway: Gateway,
  request: FastifyRequest,
  { keyHash, credentialEndsAt }: SignInOffer,
): Promise<string | null> => {
  if (keyHash !== null && (await findOperatorKey(gateway, request, keyHash)) === null) return null;
  const now = Date.now();
  const latest = now + limits.signInKeyHours * hourMs;
  const endsAt = credentialEndsAt === null ? latest : Math.min(latest, Date.parse(credentialEndsAt));
  return endsAt <= now ? null : new Date(endsAt).toISOString();
};

/** The same words for all of them: the difference would help only an attacker. */
const invalidCode = (): DomainError =>
  new DomainError('invalid_sign_in_code', 'the sign-in code is not valid: it is unknown, expired or was used already');

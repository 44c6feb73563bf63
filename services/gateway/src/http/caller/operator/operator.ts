import {
  type Actor,
  authenticateOperatorKey,
  changedKeys,
  DomainError,
  includesRole,
  type OperatorKeyIdentity,
  type OperatorRole,
  type Route,
} from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import { ask } from '../../../bus/ask.ts';
import { isOperatorKey, sameSecret, sha256Hex } from '../../../credentials/keys.ts';
import { tokenIn } from '../bearer-token.ts';
import type { Identifying } from '../credentials.ts';
import { looksLikeToken } from './oidc/read-token.ts';

/** An operator by a secret of the installation, which names nobody and may do everything: for emergencies. */
type BreakGlass = { by: 'admin_token' | 'admin_key' };
/** An operator with a name. `issuer` vouches for the name; null if the registry itself does. */
type NamedOperator = {
  by: 'operator_key' | 'oidc_token';
  id: string;
  issuer: string | null;
  /** Null if the issuer gave none that the registry knows. */
  role: OperatorRole | null;
  /** When the credential ends, RFC 3339. */
  expiresAt: string;
};
export type Operator = BreakGlass | NamedOperator;

export function isNamed(operator: Operator): operator is NamedOperator {
  return operator.by === 'operator_key' || operator.by === 'oidc_token';
}

/** As the audit trail names an operator: `admin` and an `operator` without an id are the secrets of the installation. */
export function actorOfOperator(operator: Operator): Omit<Actor, 'credentials'> {
  if (!isNamed(operator)) return { kind: operator.by === 'admin_token' ? 'admin' : 'operator', id: null };
  const { id, issuer } = operator;
  return { kind: 'operator', id, ...(issuer === null ? {} : { issuer }) };
}

/** @throws DomainError operator_role_too_low, which names the role that the route needs */
export function ensureRole(operator: Operator, { method, path, operatorRole }: OperatorRoute): void {
  if (!isNamed(operator) || operatorRole === undefined) return;
  const { id, role } = operator;
  if (role !== null && includesRole(role, operatorRole)) return;
  throw new DomainError(
    'operator_role_too_low',
    `operator ${JSON.stringify(id)} has ${role === null ? 'no role' : `the role ${role}`}; ${method} ${path} needs the role ${operatorRole}`,
  );
}
export type OperatorRoute = Pick<Route, 'method' | 'path' | 'operatorRole'>;

/** One line for each use of a secret of the installation: named credentials leave them nothing to do but emergencies. */
export function logBreakGlass(
  { logger }: Pick<Identifying, 'logger'>,
  request: FastifyRequest,
  { method, path }: OperatorRoute,
  operator: Operator | null,
): void {
  if (operator === null || isNamed(operator)) return;
  const secret = operator.by === 'admin_token' ? 'ADMIN_TOKEN' : 'ADMIN_KEY';
  logger.warn({ request_id: request.id, route: `${method} ${path}` }, `${secret} was used, which names nobody`);
}

/**
 * The operator whose credential Authorization holds, of those that the route reads; null for anything else. It is refused from pages of CORS_ALLOWED_ORIGINS and
 * MCP_ALLOWED_ORIGINS: it is sent like an agent's key, so no preflight can tell them apart. Pages of other origins are blocked before.
 * @throws DomainError browser_request_refused, invalid_credential, unavailable, overloaded
 */
export async function operatorOfBearer(
  gateway: Identifying,
  request: FastifyRequest,
  authorization: string,
  reads: readonly string[],
): Promise<Operator | null> {
  const token = tokenIn(authorization);
  const operator =
    reads.includes('admin_token') && sameSecret(token, gateway.settings.ADMIN_TOKEN)
      ? ({ by: 'admin_token' } as const)
      : reads.includes('operator')
        ? await namedOperator(gateway, request, token)
        : null;
  if (operator !== null) ensureNotFromPage(gateway, request);
  return operator;
}

const namedOperator = async (
  gateway: Identifying,
  request: FastifyRequest,
  token: string,
): Promise<Operator | null> => {
  if (isOperatorKey(token)) return operatorOfKey(gateway, request, token);
  if (gateway.oidc === null || !looksLikeToken(token)) return null;
  return { by: 'oidc_token', ...(await gateway.oidc.operatorOf(token)) };
};

const ensureNotFromPage = ({ settings }: Identifying, { headers: { origin } }: FastifyRequest): void => {
  if (origin === undefined || ![...settings.CORS_ALLOWED_ORIGINS, ...settings.MCP_ALLOWED_ORIGINS].includes(origin))
    return;
  throw new DomainError(
    'browser_request_refused',
    "an operator's credential is not taken from web pages of other origins",
  );
};

/** Whose a key is may be answered from memory, as for all keys; unknown keys are not held. The clock decides about its expiry at each use. */
const operatorOfKey = async (gateway: Identifying, request: FastifyRequest, key: string): Promise<Operator | null> => {
  const found = await findOperatorKey(gateway, request, sha256Hex(key));
  if (found === null) return null;
  const { operatorKeyId, name, role, expiresAt } = found;
  if (Date.parse(expiresAt) <= Date.now()) {
    throw new DomainError('invalid_credential', `the operator's key ${JSON.stringify(name)} expired at ${expiresAt}`);
  }
  gateway.operatorKeyUses.note(operatorKeyId);
  return { by: 'operator_key', id: name, issuer: null, role, expiresAt };
};

/** The operator's key with a hash, whether it has expired or not; null for one that there is not, or that is revoked. */
export function findOperatorKey(
  gateway: Pick<Identifying, 'replica' | 'rpc'>,
  request: FastifyRequest,
  keyHash: string,
): Promise<OperatorKeyIdentity | null> {
  return gateway.replica.read(changedKeys.credential(keyHash), async () => {
    const { operatorKey } = await ask(gateway, request, authenticateOperatorKey, { keyHash });
    return { value: operatorKey, dependsOn: operatorKey && [changedKeys.operatorKey(operatorKey.operatorKeyId)] };
  });
}

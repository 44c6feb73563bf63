import { DomainError, includesRole, limits, type OperatorRole, statement } from '@agent-trust/contracts';
import { decodeJwt, errors, type JWTPayload, jwtVerify, type JWTVerifyOptions } from 'jose';
import { oidcLimits } from './limits.ts';
import type { FindKey, SigningKeys } from './signing-keys.ts';

/** Asymmetric signatures alone: with `none` or a shared secret anybody could sign who knows the public key (RFC 8725 §3.1). */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'Ed25519',
  'EdDSA',
];
/** Kinds of tokens that say who their bearer is: ID tokens and access tokens (RFC 9068). Any other is meant for something else (RFC 8725 §3.11). */
const kinds: ReadonlySet<string> = new Set(['jwt', 'at+jwt', 'application/jwt', 'application/at+jwt']);

/** `expiresAt` (RFC 3339) is when the token is no longer taken. */
export type OidcOperator = { id: string; issuer: string; role: OperatorRole | null; expiresAt: string };

export type ReadTokenOptions = {
  issuer: string;
  audience: string;
  roleClaim: string;
  roles: ReadonlyMap<string, OperatorRole>;
  nameClaim: string;
  now?: () => number;
};

export type ReadToken = {
  /** The operator whom a token names, with the highest of its roles. @throws DomainError invalid_credential, unavailable */
  operatorOf(token: string): Promise<OidcOperator>;
  /** Whether a text says that it is a token of the issuer for this registry; nothing of it is checked. */
  isForRegistry(text: string): boolean;
};

/** Whether a text has the form of a signed token. */
export function looksLikeToken(text: string): boolean {
  return text.length <= oidcLimits.tokenCharsMax && /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/u.test(text);
}

export function createReadToken(keys: SigningKeys, options: ReadTokenOptions): ReadToken {
  const { issuer, audience, roleClaim, roles, nameClaim, now = Date.now } = options;
  const check = (): JWTVerifyOptions => ({
    issuer,
    audience,
    algorithms,
    clockTolerance: oidcLimits.skewSeconds,
    maxTokenAge: oidcLimits.tokenAgeSecondsMax,
    requiredClaims: ['exp', 'iat'],
    currentDate: new Date(now()),
  });
  const verify = async (token: string): Promise<JWTPayload> => {
    const verifyWith = (find: FindKey): Promise<JWTPayload> => payloadOf(token, find, check());
    try {
      return await verifyWith(await keys.current());
    } catch (error) {
      // The issuer may have another key since.
      const find = error instanceof errors.JWKSNoMatchingKey ? await keys.afresh() : null;
      if (find === null) throw error;
      return verifyWith(find);
    }
  };
  return {
    isForRegistry: (text) => {
      if (!looksLikeToken(text)) return false;
      try {
        const { iss, aud = [] } = decodeJwt(text);
        return iss === issuer && [aud].flat().includes(audience);
      } catch {
        return false;
      }
    },
    operatorOf: async (token) => {
      const payload = await verify(token).catch(refuse);
      const name = statement(limits.operatorIdCharsMax).safeParse(claimOf(payload, nameClaim));
      if (!name.success) throw invalid(`the claim ${nameClaim} names nobody`);
      // Where people enter their own address, each could be named as any other one in the audit trail (OpenID Connect Core §5.7).
      if (nameClaim === 'email' && payload['email_verified'] === false) throw invalid('its email is not verified');
      const { exp = 0, iat = 0 } = payload;
      const expiresAt = new Date(Math.min(exp, iat + oidcLimits.tokenAgeSecondsMax) * 1_000).toISOString();
      return { id: name.data, issuer, role: highestRole(claimOf(payload, roleClaim), roles), expiresAt };
    },
  };
}

const payloadOf = async (token: string, find: FindKey, options: JWTVerifyOptions): Promise<JWTPayload> => {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, find, options).catch(withoutUnusableKey);
    return ofKind(payload, protectedHeader.typ);
  } catch (error) {
    // The token names no key, and several fit.
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        const { payload, protectedHeader } = await jwtVerify(token, key, options).catch(withoutUnusableKey);
        return ofKind(payload, protectedHeader.typ);
      } catch (other) {
        if (!(other instanceof errors.JWSSignatureVerificationFailed)) throw other;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
};

/**
 * A key that is too short or damaged fails as an error of another kind (TypeError, DataError): anybody may name it, or no key at all, and other keys of the
 * issuer may fit.
 */
const withoutUnusableKey = (error: unknown): never => {
  throw error instanceof errors.JOSEError
    ? error
    : new errors.JWSSignatureVerificationFailed(undefined, { cause: error });
};

/** @param typ of the header; jose checks its type only where it is asked for one */
const ofKind = (payload: JWTPayload, typ: unknown = 'JWT'): JWTPayload => {
  if (typeof typ !== 'string' || !kinds.has(typ.toLowerCase()))
    throw invalid(`a token of the type ${(JSON.stringify(typ) ?? '').slice(0, 64)} is of no use here`);
  // A token that is bound to a key is worth nothing without a proof of that key, which is not checked here.
  if (payload['cnf'] !== undefined) throw invalid('it is bound to a key (cnf) and is no bearer token');
  return payload;
};

const invalid = (why: string): DomainError =>
  new DomainError('invalid_credential', `the token in Authorization is not valid: ${why}`);

/** What jose found, without what the token says. */
const refuse = (error: unknown): never => {
  if (error instanceof errors.JWTExpired) throw invalid(`it has expired, or is older than a day (${error.claim})`);
  if (error instanceof errors.JWTClaimValidationFailed) {
    throw invalid(`its claim ${error.claim} is missing or is not what it must be`);
  }
  if (error instanceof errors.JOSEAlgNotAllowed) throw invalid('its algorithm is not allowed');
  if (error instanceof errors.JWKSNoMatchingKey) throw invalid('its issuer has no such key');
  if (error instanceof errors.JOSEError) throw invalid('its form or its signature is wrong');
  throw error;
};

/** A claim by its name, else by a path with dots (`realm_access.roles`). */
const claimOf = (payload: JWTPayload, name: string): unknown => {
  if (Object.hasOwn(payload, name)) return payload[name];
  return name
    .split('.')
    .reduce<unknown>(
      (at, part) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, part)
          ? (at as Record<string, unknown>)[part]
          : undefined,
      payload,
    );
};

/** The highest role of a list of values, or of words, as `scope` has them; null for none. */
const highestRole = (claim: unknown, roles: ReadonlyMap<string, OperatorRole>): OperatorRole | null => {
  const values = Array.isArray(claim) ? claim : typeof claim === 'string' ? [claim, ...claim.split(' ')] : [];
  return values
    .flatMap((value: unknown) => (typeof value === 'string' ? (roles.get(value) ?? []) : []))
    .reduce<OperatorRole | null>((best, role) => (best !== null && includesRole(best, role) ? best : role), null);
};

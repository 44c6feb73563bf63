import { DomainError } from '@agent-trust/contracts';
import { readBytes, type SafeFetch } from '@agent-trust/safe-fetch';
import type { Logger } from '@agent-trust/service-kit';
import { createLocalJWKSet, type JWK } from 'jose';
import { z } from 'zod';
import { oidcLimits } from './limits.ts';
import { isTrustworthyUrl } from './settings.ts';

/** Finds the key that a token names; throws jose's JWKSNoMatchingKey or JWKSMultipleMatchingKeys. */
export type FindKey = ReturnType<typeof createLocalJWKSet>;

export type SigningKeys = {
  /** The issuer's keys. @throws DomainError unavailable: without them no token can be checked */
  current(): Promise<FindKey>;
  /** The keys as read since just now, for a token that names an unknown one; null if the issuer may not be asked yet, or does not answer. */
  afresh(): Promise<FindKey | null>;
};

type Options = { issuer: string; safeFetch: SafeFetch; logger: Logger; now?: () => number };

/**
 * The keys of an OpenID Connect issuer, by its discovery document (OpenID Connect Discovery §4). They are asked for at most every `askEveryMs`, by one request
 * for all that wait, so that tokens with made-up keys cannot make the gateway a source of load. While the issuer is silent, the keys that were read last go on
 * to work for a while, and nobody waits for it.
 */
export function createSigningKeys({ issuer, safeFetch, logger, now = Date.now }: Options): SigningKeys {
  let known: { find: FindKey; readAt: number } | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<FindKey | null> | null = null;
  let waiting = 0;

  const read = async (): Promise<FindKey | null> => {
    try {
      const find = createLocalJWKSet({ keys: await readKeys(safeFetch, issuer) });
      known = { find, readAt: now() };
      return find;
    } catch (err) {
      logger.warn({ err, issuer }, 'the keys of the OpenID Connect issuer could not be read');
      return null;
    } finally {
      asking = null;
    }
  };
  /** Null if the issuer was asked just now. */
  const ask = (): Promise<FindKey | null> | null => {
    if (asking !== null) return asking;
    if (now() - askedAt < oidcLimits.askEveryMs) return null;
    askedAt = now();
    asking = read();
    return asking;
  };
  const waitFor = async (answer: Promise<FindKey | null> | null): Promise<FindKey | null> => {
    if (answer === null || waiting >= oidcLimits.waitingMax) return null;
    waiting += 1;
    try {
      return await answer;
    } finally {
      waiting -= 1;
    }
  };
  // Before the first token, so that a wrong setting shows at once.
  void ask();
  return {
    current: async () => {
      const age = known === null ? Number.POSITIVE_INFINITY : now() - known.readAt;
      if (known !== null && age < oidcLimits.keysKeptMs) {
        if (age >= oidcLimits.keysFreshMs) void ask();
        return known.find;
      }
      const find = await waitFor(ask());
      if (find !== null) return find;
      throw new DomainError('unavailable', 'tokens cannot be checked now: their issuer does not answer with its keys');
    },
    afresh: () => waitFor(ask()),
  };
}

const discovery = z.object({ issuer: z.string(), jwks_uri: z.string() });
/** Keys of other kinds, such as shared secrets, are left out: no token may be checked with them. */
const publicKeyKinds: ReadonlySet<unknown> = new Set(['RSA', 'EC', 'OKP']);
const keySet = z.object({ keys: z.array(z.record(z.string(), z.unknown())).max(oidcLimits.keysMax) });

const readKeys = async (safeFetch: SafeFetch, issuer: string): Promise<JWK[]> => {
  const base = issuer.replace(/\/+$/u, '');
  const found = discovery.parse(await readJson(safeFetch, `${base}/.well-known/openid-configuration`));
  if (found.issuer !== issuer) {
    throw new Error(`the configuration names the issuer ${found.issuer}; OPERATOR_OIDC_ISSUER is ${issuer}`);
  }
  if (!isTrustworthyUrl(found.jwks_uri)) throw new Error(`jwks_uri ${found.jwks_uri} is no https address`);
  const { keys } = keySet.parse(await readJson(safeFetch, found.jwks_uri));
  return keys.filter(({ kty, d }) => publicKeyKinds.has(kty) && d === undefined) as JWK[];
};

const readJson = async (safeFetch: SafeFetch, url: string): Promise<unknown> => {
  const { status, body } = await safeFetch(url, {
    headers: { accept: 'application/json' },
    responseBodyBytesMax: oidcLimits.answerBytesMax,
    timeouts: { totalMs: oidcLimits.askTimeoutMs },
  });
  if (status === 200) return JSON.parse(Buffer.from(await readBytes(body)).toString('utf8'));
  body.cancel();
  throw new Error(`${url} answered with status ${status}`);
};

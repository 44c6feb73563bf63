import { createSafeFetch } from '@agent-trust/safe-fetch';
import type { Logger } from '@agent-trust/service-kit';
import type { GatewaySettings } from '../../../../settings.ts';
import { createReadToken, type ReadToken } from './read-token.ts';
import { createSigningKeys } from './signing-keys.ts';

export type Oidc = ReadToken & { close(): Promise<void> };

/** Reads the tokens of the configured issuer; null if none is configured. Its requests may go to the issuer's own address, wherever that is. */
export function createOidc(settings: GatewaySettings, logger: Logger): Oidc | null {
  const {
    OPERATOR_OIDC_ISSUER: issuer,
    OPERATOR_OIDC_AUDIENCE: audience,
    OPERATOR_OIDC_ROLES: roles,
    OPERATOR_OIDC_ROLE_CLAIM: roleClaim,
    OPERATOR_OIDC_NAME_CLAIM: nameClaim,
    OPERATOR_OIDC_CA_FILE: extraCa,
  } = settings;
  if (issuer === undefined || audience === undefined || roles === undefined) return null;
  const { hostname, port, protocol } = new URL(issuer);
  const own = `${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`;
  const safeFetch = createSafeFetch({
    allow: [settings.OUTBOUND_ALLOW, own].filter((item) => item !== '').join(','),
    extraCa,
  });
  const keys = createSigningKeys({ issuer, safeFetch, logger });
  return {
    ...createReadToken(keys, { issuer, audience, roles, roleClaim, nameClaim }),
    close: () => safeFetch.close(),
  };
}

import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type OperatorRole, operatorRole } from '@agent-trust/contracts';
import { setting, text } from '@agent-trust/service-kit';

/** Over http anybody on the way could be the issuer; on the machine itself there is nobody on the way. */
export function isTrustworthyUrl(address: string): boolean {
  const url = URL.parse(address);
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') return false;
  const isLocal = url.hostname === '127.0.0.1' || url.hostname === '[::1]';
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocal);
}

const readRoles = (items: string): ReadonlyMap<string, OperatorRole> | undefined => {
  const roles = new Map<string, OperatorRole>();
  for (const item of items.split(',')) {
    const at = item.lastIndexOf('=');
    const value = item.slice(0, Math.max(at, 0)).trim();
    const role = operatorRole.safeParse(item.slice(at + 1).trim());
    if (value === '' || !role.success || roles.has(value)) return undefined;
    roles.set(value, role.data);
  }
  return roles;
};

const readCertificates = (path: string): string | undefined => {
  try {
    const pem = readFileSync(path, 'utf8');
    return new X509Certificate(pem).ca ? pem : undefined;
  } catch {
    return undefined;
  }
};

/** The OpenID Connect issuer whose tokens name operators; none unless OPERATOR_OIDC_ISSUER is set. */
export const oidcSettings = {
  /** As it stands in `iss`, to the last character. */
  OPERATOR_OIDC_ISSUER: setting('an https URL without a query (http only for 127.0.0.1 or [::1])', (value) =>
    isTrustworthyUrl(value) && !value.includes('?') ? value : undefined,
  ).optional(),
  /** What `aud` has to contain. */
  OPERATOR_OIDC_AUDIENCE: text(1, 1_024).optional(),
  /** The claim that has an operator's roles or groups: its name, or a path with dots. */
  OPERATOR_OIDC_ROLE_CLAIM: text(1, 256).default('roles'),
  OPERATOR_OIDC_ROLES: setting(
    'value=role items separated by commas, such as registry-admins=admin,registry-oncall=operator',
    readRoles,
  ).optional(),
  /** The claim that names an operator in the audit trail. */
  OPERATOR_OIDC_NAME_CLAIM: text(1, 256).default('sub'),
  /** The value is the content of the file. */
  OPERATOR_OIDC_CA_FILE: setting(
    'the path of a file with the certificates of an authority in PEM',
    readCertificates,
  ).optional(),
};

type Given = {
  OPERATOR_OIDC_ISSUER?: string | undefined;
  OPERATOR_OIDC_AUDIENCE?: string | undefined;
  OPERATOR_OIDC_ROLES?: ReadonlyMap<string, OperatorRole> | undefined;
};

/** Settings of the issuer that lack another one: an issuer without an audience would take tokens that were made for others. */
export function incompleteOidcSettings(given: Given): { name: string; message: string }[] {
  const names = ['OPERATOR_OIDC_ISSUER', 'OPERATOR_OIDC_AUDIENCE', 'OPERATOR_OIDC_ROLES'] as const;
  const missing = names.filter((name) => given[name] === undefined);
  if (missing.length === names.length) return [];
  return missing.map((name) => ({ name, message: `is not set; ${names.join(', ')} go together` }));
}

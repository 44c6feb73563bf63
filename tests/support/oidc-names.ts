/** The values of the claim `groups` that the registry of the tests knows, and the role of each. */
export const groupsOf = { viewer: 'registry-readers', operator: 'registry-oncall', admin: 'registry-owners' } as const;

export const oidcAudience = 'agent-trust-tests';

/** Settings of a gateway that takes the tokens of an issuer. */
export function oidcSettings(issuer: string): Record<string, string> {
  return {
    OPERATOR_OIDC_ISSUER: issuer,
    OPERATOR_OIDC_AUDIENCE: oidcAudience,
    OPERATOR_OIDC_ROLE_CLAIM: 'groups',
    OPERATOR_OIDC_ROLES: Object.entries(groupsOf)
      .map(([role, group]) => `${group}=${role}`)
      .join(),
    OPERATOR_OIDC_NAME_CLAIM: 'preferred_username',
  };
}

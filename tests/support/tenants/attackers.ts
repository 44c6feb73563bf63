import { organisationScope, type RouteCredential, type RouteScope } from '@agent-trust/contracts';
import { adminKey, adminToken, type Member } from '../ask.ts';
import { createNamedKey, expiredNamedKey, revokeNamedKey } from '../named-keys.ts';
import { bearer, orgKey } from '../registry.ts';
import { type Credential, credentialsOf, signatureOf, type Tenant } from './tenant.ts';

/** Somebody else, and the kinds of credentials of routes that the credential is valid for. */
export type Attacker = { name: string; credential: Credential; proves: readonly RouteCredential[] };

/** Keys that do nothing: of another tenant and of the tenant itself, expired or revoked. */
export async function endedKeysOf(tenants: readonly Tenant[]): Promise<Attacker[]> {
  const attackers: Attacker[] = [];
  for (const { org } of tenants) {
    for (const own of [org.key, org.sandboxKey]) {
      const expired = await expiredNamedKey(own);
      const revoked = await createNamedKey(own);
      await revokeNamedKey(own, revoked.keyId);
      attackers.push(
        { name: 'an expired named key', credential: () => expired.key, proves: [] },
        { name: 'a revoked named key', credential: () => revoked.key, proves: [] },
      );
    }
  }
  return attackers;
}

/** The tenant's own named keys, in both universes, with every scope but the one that a route needs. */
export async function ownKeysWithout(needed: RouteScope | undefined, { org }: Tenant): Promise<Attacker[]> {
  if (needed === undefined || needed === 'any') return [];
  const scopes = organisationScope.options.filter((scope) => scope !== needed);
  return Promise.all(
    [org.key, org.sandboxKey].map(async (own): Promise<Attacker> => {
      const { key } = await createNamedKey(own, scopes);
      return { name: `an own key without the scope ${needed}`, credential: () => key, proves: [] };
    }),
  );
}

/** Everybody but a tenant: another tenant with each kind of credential that it can have, an outsider, and made-up credentials. */
export function attackersFrom(other: Tenant, outsider: Member, victim: Tenant): Attacker[] {
  const live = credentialsOf(other, 'live');
  const draft = credentialsOf(other, 'draft');
  const made = 'A'.repeat(43);
  return [
    { name: 'nobody', credential: () => ({}), proves: [] },
    { name: 'production key', credential: live.production_key, proves: ['organisation', 'production_key'] },
    { name: 'sandbox key', credential: live.sandbox_key, proves: ['organisation', 'sandbox_key'] },
    {
      name: 'named key with every scope',
      credential: () => other.namedKey.key,
      proves: ['organisation', 'production_key'],
    },
    { name: "live agent's key", credential: live.agent, proves: ['agent'] },
    { name: "draft's key", credential: draft.agent, proves: ['agent'] },
    { name: "live agent's signature", credential: live.signature, proves: ['signature'] },
    { name: "draft's signature", credential: draft.signature, proves: ['signature'] },
    { name: "outsider's key", credential: () => outsider.auth, proves: ['agent'] },
    {
      name: "production key and live agent's key",
      credential: () => ({ ...other.org.key, ...other.live.auth }),
      proves: ['organisation', 'production_key', 'agent'],
    },
    {
      name: "production key and outsider's key",
      credential: () => ({ ...other.org.key, ...outsider.auth }),
      proves: ['organisation', 'production_key', 'agent'],
    },
    {
      name: "signature under the victim's name",
      credential: signatureOf(other.live.key, victim.live.agentId),
      proves: [],
    },
    { name: 'made-up production key', credential: () => orgKey(`registry-org-sk-${made}`), proves: [] },
    { name: 'made-up sandbox key', credential: () => orgKey(`registry-org-sandbox-sk-${made}`), proves: [] },
    { name: "made-up agent's key", credential: () => bearer(`registry-agent-sk-${made}`), proves: [] },
    {
      name: "made-up operator's key",
      credential: () => bearer(`registry-operator-sk-${made}`),
      proves: [],
    },
    {
      name: "made-up operator's credentials",
      credential: () => ({ 'x-admin-key': made, ...bearer(made) }),
      proves: [],
    },
    {
      name: "the operator's credentials, each in the place of the other",
      credential: () => ({
        'x-admin-key': String(adminToken['authorization']).replace('Bearer ', ''),
        ...bearer(String(adminKey['x-admin-key'])),
      }),
      proves: [],
    },
  ];
}

import type { RouteCredential } from '@agent-trust/contracts';
import { adminKey, adminToken, type Member } from '../ask.ts';
import { bearer, orgKey } from '../registry.ts';
import { type Credential, credentialsOf, signatureOf, type Tenant } from './tenant.ts';

/** Somebody else, and the kinds of credentials of routes that the credential is valid for. */
export type Attacker = { name: string; credential: Credential; proves: readonly RouteCredential[] };

/** Everybody but a tenant: another tenant with each kind of credential that it can have, an outsider, and made-up credentials. */
export function attackersFrom(other: Tenant, outsider: Member, victim: Tenant): Attacker[] {
  const live = credentialsOf(other, 'live');
  const draft = credentialsOf(other, 'draft');
  const made = 'A'.repeat(43);
  return [
    { name: 'nobody', credential: () => ({}), proves: [] },
    { name: 'production key', credential: live.production_key, proves: ['organisation', 'production_key'] },
    { name: 'sandbox key', credential: live.sandbox_key, proves: ['organisation', 'sandbox_key'] },
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

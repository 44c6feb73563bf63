import { recordDomainCheck } from '@agent-trust/contracts';
import type { Rpc } from '@agent-trust/nats-rpc';
import type { DomainWorld } from '@agent-trust/test-kit/domain-world';
import { anybody, keyOf, operator, type WrittenRegistry } from './written-registry.ts';

type Parts = {
  rpc: Rpc;
  world: DomainWorld;
  setDaysAgo: (days: number) => void;
  idOf: (org: string) => Promise<string>;
};

/**
 * A domain that is proved, lapses and is proved again, as the weeks go by: a gateway's look at the domain is a request to registry-write, which
 * sees a clock that is set back. Then domains change hands.
 */
export async function writeDomains(registry: WrittenRegistry, { rpc, world, setDaysAgo, idOf }: Parts): Promise<void> {
  const { post, register, known } = registry;
  const prove = async (org: string, domain: string): Promise<void> => {
    const asked = await post(keyOf(org), '/org/domains', { domain });
    world.publish(domain, String(asked['token']));
    await post(keyOf(org), `/org/domains/${domain}/verify`, undefined);
  };
  const look = (domain: string, orgId: string, method: 'dns' | null): Promise<unknown> =>
    rpc.request(
      recordDomainCheck,
      { orgId, domain, isChecked: true, method, actor: { kind: 'system', id: 'gateway', credentials: [] } },
      { correlationId: 'look-again', timeoutMs: 10_000 },
    );

  const lapsing = 'lapsing.proofs.test';
  known.domains['lapsed and restored'] = lapsing;
  const orgId = await idOf('alpha');
  setDaysAgo(60);
  await register(keyOf('alpha'), 'resident', { org_domain: lapsing });
  await prove('alpha', lapsing);
  for (const [daysAgo, found] of [
    [29, null],
    [27, null],
    [25, null],
    [23, 'dns'],
  ] as const) {
    setDaysAgo(daysAgo);
    await look(lapsing, orgId, found);
  }
  setDaysAgo(0);

  // An agent gives its domain up, and another organisation's takes it.
  await register(keyOf('alpha'), 'mover', { org_domain: 'passed-on.example' });
  await post(keyOf('alpha'), '/update', { agent_id: 'mover', org_domain: null });
  await register(keyOf('beta'), 'heir', { org_domain: 'passed-on.example' });
  await post(operator, '/update', { agent_id: 'heir', org_name: 'Beta and Sons' });

  // The domain's owner proves it, and the agent that has it gives it up.
  const squatted = 'squatted.proofs.test';
  known.domains['proved'] = squatted;
  await register(keyOf('beta'), 'squatter', { org_domain: squatted });
  await prove('alpha', squatted);

  const vouched = 'vouched.proofs.test';
  await post(operator, `/ops/domains/${vouched}/vouch`, { org_name: 'beta', reason: 'known in person' });
  await post(operator, `/ops/domains/${vouched}/withdraw`, { reason: 'It was sold.' });
  const kept = 'kept.proofs.test';
  known.domains['vouched for'] = kept;
  await post(operator, `/ops/domains/${kept}/vouch`, { org_name: 'beta', reason: 'known in person' });
  await register(anybody, 'domainless', { contact_email: 'd@agent.example' });
}

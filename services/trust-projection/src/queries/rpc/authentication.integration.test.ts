import { findSignatureKey } from '@agent-trust/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { agentEvent } from '../../testing/made-changes.ts';
import { agentRegistered } from '../../testing/made-history.ts';
import { createServiceFixture, type ServiceFixture } from '../../testing/service-fixture.ts';

let fixture: ServiceFixture;
let atLeast: string;
const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const sandbox = { kind: 'sandbox', orgId: 'acme' } as const;
const firstKey = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
const secondKey = 'PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw';

beforeAll(async () => {
  fixture = await createServiceFixture();
  atLeast = await fixture.record(
    agentRegistered({ agentId: 'keyed', publicKey: firstKey }, at(1)),
    agentRegistered({ agentId: 'alone', orgId: 'acme', orgDomain: 'alone.test' }, at(1)),
    agentRegistered({ agentId: 'one of two', orgId: 'acme', orgDomain: 'shared.test' }, at(1)),
    agentRegistered({ agentId: 'draft', orgId: 'acme', orgDomain: 'shared.test', universe: sandbox }, at(1)),
    agentRegistered(
      { agentId: 'keyed in a domain', orgId: 'acme', orgDomain: 'shared.test', publicKey: firstKey },
      at(1),
    ),
    agentRegistered({ agentId: 'nothing' }, at(1)),
  );
});
afterAll(() => fixture.close());

const signer = async (agentId: string) =>
  (await fixture.gateway.request(findSignatureKey, { agentId, atLeast }, { timeoutMs: 5_000 })).signer;

it("returns an agent's own key, in either universe, and otherwise the domain and the number of agents that share it", async () => {
  expect(await signer('keyed')).toEqual({
    identity: { agentId: 'keyed', universe: { kind: 'production' }, orgId: null, block: null },
    publicKey: firstKey,
    orgDomain: null,
    domainVerified: false,
    agentsOfDomain: 0,
  });
  expect(await signer('alone')).toMatchObject({ publicKey: null, orgDomain: 'alone.test', agentsOfDomain: 1 });
  expect(await signer('one of two')).toMatchObject({ orgDomain: 'shared.test', agentsOfDomain: 3 });
  expect(await signer('draft')).toMatchObject({ identity: { universe: sandbox }, agentsOfDomain: 3 });
  expect(await signer('keyed in a domain')).toMatchObject({ publicKey: firstKey, agentsOfDomain: 0 });
  expect(await signer('nothing')).toMatchObject({ publicKey: null, orgDomain: null, agentsOfDomain: 0 });
  expect(await signer('nobody')).toBeNull();
});

it('returns the current key after a replacement, and none after it was cleared', async () => {
  atLeast = await fixture.record(
    agentEvent('PublicKeyReplaced', { agentId: 'keyed', publicKey: secondKey, replacedAt: at(2) }),
  );
  expect(await signer('keyed')).toMatchObject({ publicKey: secondKey });
  atLeast = await fixture.record(
    agentEvent('PublicKeyReplaced', { agentId: 'keyed', publicKey: null, replacedAt: at(3) }),
  );
  expect(await signer('keyed')).toMatchObject({ publicKey: null });
});

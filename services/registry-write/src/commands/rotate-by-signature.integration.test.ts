import { agentStream, registerAgent, rotateBySignature } from '@agent-trust/contracts';
import { somePublicKey } from '@agent-trust/domain/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshHash, registerInput } from '../testing/inputs.ts';
import { startRegistryWrite, type TestRegistry } from '../testing/start-registry-write.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistryWrite({ instances: 2 });
});
afterAll(() => registry.stop());

const input = (agentId: string, newKeyHash = freshHash(), publicKey: string | null = null) => ({
  agentId,
  newKeyHash,
  publicKey,
  actor: { kind: 'agent', id: agentId } as const,
});

it('records the hash of the new key without a claim, and the caller', async () => {
  await registry.ask(registerAgent, registerInput({ agentId: 'signer' }));
  const newKeyHash = freshHash();
  const { position } = await registry.ask(rotateBySignature, input('signer', newKeyHash));
  const recorded = (await registry.recordedIn(agentStream('signer'))).at(-1);
  expect(recorded?.position.toString()).toBe(position);
  expect(recorded?.metadata.actor).toEqual({ kind: 'agent', id: 'signer' });
  expect((await registry.eventsOf(agentStream('signer'))).at(-1)).toMatchObject({
    type: 'KeyRotated',
    data: { agentId: 'signer', keyHash: newKeyHash, claimTokenHash: null },
  });
});

it('refuses an unregistered agent as an invalid signature', async () => {
  expect(await registry.outcomeOf(registry.ask(rotateBySignature, input('nobody')))).toBe('invalid_credential');
  expect(await registry.eventsOf(agentStream('nobody'))).toEqual([]);
});

it("refuses a signature by a public key that is not the agent's current one", async () => {
  await registry.ask(registerAgent, registerInput({ agentId: 'owner', publicKey: somePublicKey }));
  expect(await registry.outcomeOf(registry.ask(rotateBySignature, input('owner')))).toBe('invalid_credential');
  const own = input('owner', freshHash(), somePublicKey);
  expect(await registry.outcomeOf(registry.ask(rotateBySignature, own))).toBe('ok');
});

it('of many at once each is recorded, and the last key is valid', async () => {
  await registry.ask(registerAgent, registerInput({ agentId: 'busy' }));
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, () => registry.outcomeOf(registry.ask(rotateBySignature, input('busy')))),
  );
  const rotations = (await registry.eventsOf(agentStream('busy'))).filter(({ type }) => type === 'KeyRotated');
  expect(rotations).toHaveLength(outcomes.filter((outcome) => outcome === 'ok').length);
  expect(outcomes).toContain('ok');
});

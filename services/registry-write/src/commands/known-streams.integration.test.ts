import {
  agentStream,
  type AgentEvent,
  production,
  redeemClaim,
  registerAgent,
  type updateAgent as updating,
  updateAgent,
} from '@agent-trust/contracts';
import { hashOf, orgKeyOf, redeemInput, registerInput, updatedBy, updateInput } from '../testing/inputs.ts';
import { startRegistryWrite, type TestRegistry } from '../testing/start-registry-write.ts';
import type { Sent } from '@agent-trust/nats-rpc';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

/*
 * Bug: a command is decided on what its process remembers of a stream, and ignores what another process has written and acknowledged since: a
 * change is undone, or a request is refused that is allowed.
 * Method: one instance, so that it remembers every stream; the events of other instances are written behind its back.
 */
let registry: TestRegistry;
const at = '2026-01-01T00:00:00.000Z';
beforeAll(async () => {
  registry = await startRegistryWrite({ instances: 1 });
});
afterAll(() => registry.stop());

const register = (agentId: string, claimTokenHash = hashOf(agentId)): Promise<unknown> =>
  registry.ask(
    registerAgent,
    registerInput({
      agentId,
      credential: orgKeyOf('org-1'),
      claimTokenHash,
      contact: { contactInfo: null, contactEmail: null },
    }),
  );
const update = (agentId: string, over: Partial<Sent<(typeof updating)['input']>>): Promise<string> =>
  registry.outcomeOf(registry.ask(updateAgent, updateInput({ agentId, credentials: updatedBy('org-1'), ...over })));
const behindItsBack = (agentId: string, ...events: AgentEvent[]) => registry.write(agentStream(agentId), ...events);
const configurationOf = async (agentId: string) => {
  const events = await registry.eventsOf(agentStream(agentId));
  const changed = events.findLast(({ type }) => type === 'ConfigurationChanged' || type === 'AgentRegistered');
  return changed !== undefined && 'configuration' in changed.data ? changed.data.configuration : null;
};

describe('an agent that this process wrote last', () => {
  it('is updated and claimed without reading its stream', async () => {
    await register('known');
    const reads = vi.spyOn(registry.log, 'readStream');
    expect(await update('known', { configuration: { specialty: 'one' } })).toBe('ok');
    expect(await update('known', { configuration: { signupHelp: 'two' } })).toBe('ok');
    await registry.ask(redeemClaim, redeemInput('known', hashOf('known')));
    // Whether its organisation is disabled is no part of its own stream, and another process may have decided that.
    expect(reads.mock.calls.map(([stream]) => stream)).toEqual(['organisation-org-1']);
    reads.mockRestore();
    expect(await configurationOf('known')).toMatchObject({ specialty: 'one', signupHelp: 'two' });
  });
});

describe('an agent that another process wrote last', () => {
  it('keeps what that process changed', async () => {
    await register('changed');
    const before = await configurationOf('changed');
    if (before === null) throw new Error('not registered');
    const configuration = { ...before, specialty: 'by another' };
    await behindItsBack('changed', {
      type: 'ConfigurationChanged',
      data: { agentId: 'changed', configuration, changedFields: [], changedAt: at },
    });
    expect(await update('changed', { configuration: { signupHelp: 'by this' } })).toBe('ok');
    expect(await configurationOf('changed')).toMatchObject({ specialty: 'by another', signupHelp: 'by this' });
  });

  it('is not refused what is allowed since, nor allowed what is refused since', async () => {
    await register('claimed');
    const token = hashOf('issued by another');
    await behindItsBack('claimed', {
      type: 'ClaimIssued',
      data: { agentId: 'claimed', claimTokenHash: token, reason: 'organisation', issuedAt: at, expiresAt: null },
    });
    await registry.ask(redeemClaim, redeemInput('claimed', token));
    expect(await registry.outcomeOf(registry.ask(redeemClaim, redeemInput('claimed', token)))).not.toBe('ok');

    await register('withdrawn');
    await behindItsBack('withdrawn', {
      type: 'AgentWithdrawn',
      data: { agentId: 'withdrawn', orgId: 'org-1', withdrawnAt: at },
    });
    expect(await update('withdrawn', { configuration: { specialty: 'live' } })).toBe('wrong_universe');
    const inSandbox = updatedBy('org-1', { kind: 'sandbox', orgId: 'org-1' });
    expect(await update('withdrawn', { configuration: { specialty: 'draft' }, credentials: inSandbox })).toBe('ok');
  });

  it('has its own names taken as given, also those that the other process gave it', async () => {
    registry.projection.taxonomy.set('mt', { name: 'mt', outcome: 'alias', canonical: 'machine_translation' });
    await register('named');
    const before = await configurationOf('named');
    if (before === null) throw new Error('not registered');
    const capabilities = [{ name: 'mt', weight: 1 }];
    await behindItsBack('named', {
      type: 'ConfigurationChanged',
      data: { agentId: 'named', configuration: { ...before, capabilities }, changedFields: [], changedAt: at },
    });
    expect(await update('named', { configuration: { capabilities: [{ name: 'mt', weight: 3 }] } })).toBe('ok');
    expect(await configurationOf('named')).toMatchObject({ capabilities: [{ name: 'mt', weight: 3 }] });
  });

  it('answers an update that changes nothing with the position of the last change', async () => {
    await register('same');
    const before = await configurationOf('same');
    if (before === null) throw new Error('not registered');
    await behindItsBack('same', {
      type: 'ConfigurationChanged',
      data: { agentId: 'same', configuration: { ...before, specialty: 'elsewhere' }, changedFields: [], changedAt: at },
    });
    const last = (await registry.recordedIn(agentStream('same'))).at(-1)?.position;
    const answer = await registry.ask(
      updateAgent,
      updateInput({ agentId: 'same', credentials: updatedBy('org-1', production), configuration: {} }),
    );
    expect(answer.outcome === 'updated' && BigInt(answer.position) >= (last ?? 0n)).toBe(true);
  });
});

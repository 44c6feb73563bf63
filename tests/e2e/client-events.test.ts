import { BrokenStreamError, createRegistryClient, type RegistryClient, RegistryError } from '@agent-trust/client';
import { faultProxy, waitFor } from '@agent-trust/test-kit';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { bareGateway, createOrg, join, type Member, type Org, post, stack } from '../support/ask.ts';

let org: Org;
let agent: Member;
beforeAll(async () => {
  org = await createOrg();
  agent = await join(org.key);
});

const owner = (baseUrl = bareGateway): RegistryClient =>
  createRegistryClient({ baseUrl, orgKey: org.key['x-api-key'] ?? '' });
const operator = (baseUrl = bareGateway): RegistryClient =>
  createRegistryClient({ baseUrl, adminToken: stack.adminToken });
const change = (specialty: string) => post('/update', { agent_id: agent.agentId, specialty }, agent.auth);
const all = async <Event>(events: AsyncIterable<Event>): Promise<Event[]> => {
  const read: Event[] = [];
  for await (const event of events) read.push(event);
  return read;
};

describe('events by the client', () => {
  it('are followed across broken connections, each exactly once', async () => {
    const proxy = await faultProxy(bareGateway);
    onTestFinished(() => proxy.close());
    const leaving = new AbortController();
    const specialties: unknown[] = [];
    const newest = await owner().org.agentEvents(agent.agentId, { order: 'desc', limit: 1 });
    const after = newest.events[0]?.position ?? '0';
    const following = (async () => {
      const { org: through } = owner(proxy.url);
      for await (const { data } of through.followAgentEvents(agent.agentId, { after }, { signal: leaving.signal })) {
        specialties.push((data['configuration'] as { specialty: unknown }).specialty);
      }
    })();
    for (const specialty of ['a', 'b', 'c', 'd']) {
      await change(specialty);
      await waitFor(() => specialties.at(-1) === specialty);
      proxy.cut();
    }
    expect(specialties).toEqual(['a', 'b', 'c', 'd']);
    leaving.abort(new Error('enough'));
    await expect(following).rejects.toThrow('enough');
  });

  it('are exported completely, or not at all', async () => {
    const whole = await all(operator().ops.exportEvents({ agent_id: agent.agentId }));
    expect(whole.map(({ type }) => type).slice(0, 3)).toEqual(['AgentRegistered', 'ClaimIssued', 'KeyRotated']);
    const cut = createRegistryClient({
      baseUrl: bareGateway,
      adminToken: stack.adminToken,
      // As from a proxy that passes a broken answer on as a complete one.
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        const text = await response.text();
        return new Response(text.slice(0, text.lastIndexOf('{"end_of_export"')), response);
      },
    });
    await expect(all(cut.ops.exportEvents({ agent_id: agent.agentId }))).rejects.toBeInstanceOf(BrokenStreamError);
  });

  it('are refused to clients without permission, including followers', async () => {
    const refused = all(owner().org.followAgentEvents('nobody of ours'));
    await expect(refused).rejects.toMatchObject({ status: 404 });
    await expect(all(owner().ops.exportEvents())).rejects.toBeInstanceOf(RegistryError);
  });
});

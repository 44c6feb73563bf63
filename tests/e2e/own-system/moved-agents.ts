/**
 * Bug: a proxy that holds where an agent is sends a call or payment to its former address after the move was acknowledged.
 * Method: two call-proxies and three pay-proxies find an agent again and again, through two gateways. It moves between two servers, and requests
 * follow each answer at once; which server they reach is counted. A request reaches a random proxy, so many are sent each time.
 */
import type { Stack } from '@agent-trust/dev-stack';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RecordingAgent, respondJson, startRecordingAgent } from '../../support/recording-agent.ts';
import {
  bearer,
  callBody,
  createOrganisation,
  httpTo,
  type Member,
  orgKey,
  registerAgent,
} from '../../support/registry.ts';

const moves = 12;
/** All of them go to one of two proxies with a chance of 1 in 100. */
const callsEach = 8;
const paymentsEach = 9;

export function testMovedAgents(stackOf: () => Stack): void {
  let urls: readonly string[];
  let owner: { key: string };
  let caller: Member;
  let servers: RecordingAgent[];

  beforeAll(async () => {
    ({ urls } = stackOf());
    owner = await createOrganisation(stackOf());
    caller = await registerAgent(httpTo(urls[0] ?? ''), { key: (await createOrganisation(stackOf())).key });
    servers = [await startRecordingAgent(respondJson(200, {})), await startRecordingAgent(respondJson(200, {}))];
  });
  afterAll(() => Promise.all((servers ?? []).map((server) => server.stop())));

  const update = (fields: Record<string, unknown>, turn: number) =>
    httpTo(urls[turn % urls.length] ?? '').post('/update', fields, orgKey(owner.key));

  /** Calls and pays through both gateways at once. @returns the statuses */
  const reach = async (agentId: string): Promise<number[]> => {
    const key = bearer(caller.key);
    const calls = Array.from({ length: callsEach }, (_, index) =>
      httpTo(urls[index % urls.length] ?? '').post('/call', callBody(caller, agentId), key),
    );
    const payments = Array.from({ length: paymentsEach }, async (_, index) => {
      const response = await fetch(`${urls[index % urls.length]}/pay/${agentId}`, { headers: key });
      await response.arrayBuffer();
      return response;
    });
    return (await Promise.all([...calls, ...payments])).map(({ status }) => status);
  };

  it('are called and paid at their new address from the answer to the update', async () => {
    const [first, second] = servers as [RecordingAgent, RecordingAgent];
    const fields = { endpoint_url: first.url };
    const { agentId } = await registerAgent(httpTo(urls[0] ?? ''), { key: owner.key, fields });
    const all = Array.from({ length: callsEach + paymentsEach }, () => 200);
    for (let turn = 1; turn <= moves; turn += 1) {
      expect(await reach(agentId)).toEqual(all);
      const [from, to] = turn % 2 === 1 ? [first, second] : [second, first];
      const moved = await update({ agent_id: agentId, endpoint_url: to.url }, turn);
      expect(moved.status).toBe(200);
      const before = [from.received.length, to.received.length] as const;
      expect(await reach(agentId)).toEqual(all);
      expect(from.received.length, `requests at the former address after move ${turn}`).toBe(before[0]);
      expect(to.received.length).toBe(before[1] + all.length);
    }
  });

  it('that have no address any more are not called', async () => {
    const fields = { endpoint_url: servers[0]?.url };
    const { agentId } = await registerAgent(httpTo(urls[0] ?? ''), { key: owner.key, fields });
    expect(new Set(await reach(agentId))).toEqual(new Set([200]));
    expect((await update({ agent_id: agentId, endpoint_url: null }, 1)).status).toBe(200);
    expect(new Set(await reach(agentId))).toEqual(new Set([422]));
  });
}

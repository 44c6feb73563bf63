/**
 * Bug: one process serves many MCP sessions; if a key is kept anywhere but in its own request or session, it acts for somebody else.
 * Method: concurrent sessions (fifty in the long form) over two gateways and both transports, half of them with keys in their headers and half
 * with keys set by set_agent_key. Each calls and reviews as itself, and as its neighbour, which must be refused; the log shows who did what. After that, the
 * sessions are attacked one by one.
 */
import { runs } from '@agent-trust/test-kit/runs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Member, createOrg, freshClient, join, stack } from '../support/ask.ts';
import {
  type McpClient,
  callTool,
  callToolIn,
  mcpClient,
  mcpGateways,
  mcpTransports,
  postMessage,
} from '../support/mcp-clients.ts';
import { startRecordingAgent } from '../support/recording-agent.ts';
import { bearer, textMessage } from '../support/registry.ts';
import { allEvents } from '../support/secrets-at-rest.ts';

/** At least three of each kind: each gateway, each transport, each way to give a key. */
const sessionCount = runs(24, 50);
/** A little less than the shortest time that a question has for its turn and its answer. */
const turnMsMin = 4_000;
const keyOf = ({ auth }: Member): string => (auth['authorization'] ?? '').slice('Bearer '.length);

let receiver: Member;
let agent: Awaited<ReturnType<typeof startRecordingAgent>>;
beforeAll(async () => {
  agent = await startRecordingAgent();
  receiver = await join((await createOrg()).key, { endpoint_url: agent.url });
});
afterAll(() => agent.stop());

type Session = McpClient & { member: Member };

const openSession = async (index: number): Promise<Session> => {
  const member = await join((await createOrg()).key);
  const setsKey = index % 2 === 1;
  const transport = mcpTransports[(index >> 1) % 2] ?? 'SSE';
  const headers = { ...freshClient(), ...(setsKey ? {} : member.auth) };
  const mcp = await mcpClient(headers, transport, mcpGateways[(index >> 2) % 2]);
  if (setsKey) {
    const set = await callTool(mcp, 'set_agent_key', { agent_key: keyOf(member) });
    if (set.isError) throw new Error(JSON.stringify(set.body));
  }
  return { ...mcp, member };
};

const callAs = (mcp: Pick<McpClient, 'client'>, callerId: string) =>
  callTool(mcp, 'call_agent', {
    caller_agent_id: callerId,
    agent_id: receiver.agentId,
    message: textMessage(`from ${callerId}`),
  });
const reviewAs = (mcp: Pick<McpClient, 'client'>, callerId: string) =>
  callTool(mcp, 'review_transaction', {
    caller_agent_id: callerId,
    receiver_agent_id: receiver.agentId,
    success: true,
    score: 8,
  });

it(`${sessionCount} sessions with different keys never act for each other`, { timeout: 300_000 }, async () => {
  const sessions: Session[] = [];
  for (let index = 0; index < sessionCount; index += 10) {
    const length = Math.min(10, sessionCount - index);
    sessions.push(...(await Promise.all(Array.from({ length }, (_, step) => openSession(index + step)))));
  }
  const outcomes = await Promise.all(
    sessions.map(async (session, index) => {
      const own = session.member.agentId;
      const neighbour = sessions[(index + 1) % sessions.length]?.member.agentId ?? '';
      const [called, foreign] = await Promise.all([callAs(session, own), callAs(session, neighbour)]);
      const [reviewed, foreignReview] = await Promise.all([reviewAs(session, own), reviewAs(session, neighbour)]);
      return [
        [called.isError, typeof called.body['transaction_id'], called.body['status_code']],
        [foreign.isError, foreign.body['code']],
        [reviewed.isError, reviewed.body['agent_id']],
        [foreignReview.isError, foreignReview.body['code']],
      ];
    }),
  );
  for (const outcome of outcomes) {
    expect(outcome).toEqual([
      [false, 'string', 200],
      [true, 'caller_mismatch'],
      [false, receiver.agentId],
      [true, 'caller_mismatch'],
    ]);
  }
  const callers: unknown[] = [];
  for await (const { type, data } of allEvents(stack.eventLogUrl)) {
    if (type === 'ExchangeStarted' && data['receiverAgentId'] === receiver.agentId) callers.push(data['callerAgentId']);
  }
  const called = sessions.map(({ member }) => member.agentId);
  expect([callers.length, new Set(callers)]).toEqual([sessionCount, new Set(called)]);
  await Promise.all(sessions.map((session) => session.end()));
});

// Bug: a program sends all its questions at once, and from the fifth on they are refused, although each would be answered in a moment.
describe('sixty questions at once, in one session,', () => {
  it.each<[string, Record<string, unknown>]>([
    ['list_org_agents', {}],
    ['list_registry', {}],
    ['match_agents', { required_capabilities: ['translation'] }],
    ['preview_sandbox_match', { required_capabilities: ['translation'] }],
    ['verify_agent', {}],
    ['get_agent', {}],
    ['protocol_reference', { topic: 'calling' }],
  ])('take their turn: %s', async (name, fields) => {
    const org = await createOrg();
    const draft = await join(org.sandboxKey, { endpoint_url: agent.url });
    const id = name.startsWith('preview') ? { sandbox_agent_id: draft.agentId } : { agent_id: draft.agentId };
    const mcp = await mcpClient({ ...freshClient(), ...org.sandboxKey });
    const answers = await Promise.all(
      Array.from({ length: 60 }, async () => {
        const askedAt = performance.now();
        const answer = await callTool(mcp, name, { ...id, ...fields });
        return { ...answer, tookMs: performance.now() - askedAt };
      }),
    );
    // On a busy machine the time of some may end before their turn comes; nobody is refused a turn.
    const late = answers.filter(({ isError }) => isError);
    for (const { body, tookMs } of late) {
      expect(body).toMatchObject({
        code: expect.stringMatching(/^(?:overloaded|unavailable)$/u),
        retry_after_seconds: expect.any(Number),
      });
      expect(tookMs).toBeGreaterThan(turnMsMin);
    }
    expect(late.length).toBeLessThan(answers.length / 2);
    await mcp.end();
  });
});

describe("another's session", () => {
  const mine = (member: Member) => ({
    caller_agent_id: member.agentId,
    receiver_agent_id: receiver.agentId,
    success: true,
    score: 1,
  });
  /** The identity of a call in a session: its agent is refused for lack of an exchange, any other caller for its credential. */
  const isTakenFor = async (sessionId: string, member: Member, headers: Record<string, string>): Promise<string> => {
    const answers = await Promise.all(
      mcpGateways.map((gateway) => callToolIn(sessionId, 'review_transaction', mine(member), headers, gateway)),
    );
    return answers.map(({ body }) => String(body['code'])).join();
  };
  const itself = 'no_unreviewed_exchange,no_unreviewed_exchange';
  const nobody = 'credential_required,credential_required';
  const mismatch = 'caller_mismatch,caller_mismatch';

  it('is no credential: its id without headers is anonymous, and with other headers their agent acts', async () => {
    const [victim, thief] = await Promise.all([join((await createOrg()).key), join((await createOrg()).key)]);
    const { sessionId, end } = await mcpClient(victim.auth);
    const id = sessionId ?? '';
    expect(await isTakenFor(id, victim, victim.auth)).toBe(itself);
    expect(await isTakenFor(id, victim, {})).toBe(nobody);
    expect(await isTakenFor(id, victim, thief.auth)).toBe(mismatch);
    expect(await isTakenFor(id, thief, thief.auth)).toBe(itself);
    await end();
  });

  it('does not lend the key that was set in it', async () => {
    const [victim, other, thief] = await Promise.all([
      join((await createOrg()).key),
      join((await createOrg()).key),
      join((await createOrg()).key),
    ]);
    // The victim sets the key of another of its agents than the one in its headers.
    const mcp = await mcpClient(victim.auth);
    const id = mcp.sessionId ?? '';
    expect((await callTool(mcp, 'set_agent_key', { agent_key: keyOf(other) })).isError).toBe(false);
    expect(await isTakenFor(id, other, victim.auth)).toBe(itself);
    expect(await isTakenFor(id, other, thief.auth)).toBe(mismatch);
    expect(await isTakenFor(id, other, {})).toBe(nobody);
    // The victim's other session has no set key.
    const second = await mcpClient(victim.auth);
    expect(await isTakenFor(second.sessionId ?? '', other, victim.auth)).toBe(mismatch);
    // An attacker in the session can set keys for itself alone.
    await callToolIn(id, 'set_agent_key', { agent_key: keyOf(thief) }, thief.auth);
    expect(await isTakenFor(id, victim, victim.auth)).toBe(itself);
    await Promise.all([mcp.end(), second.end()]);
    expect((await postMessage(mcpGateways[1], 'ping', {}, { 'mcp-session-id': id, ...victim.auth })).status).toBe(404);
  });

  it('with a key set without headers is useless from another address', async () => {
    const victim = await join((await createOrg()).key);
    const address = freshClient();
    const mcp = await mcpClient(address);
    const id = mcp.sessionId ?? '';
    await callTool(mcp, 'set_agent_key', { agent_key: keyOf(victim) });
    expect(await isTakenFor(id, victim, address)).toBe(itself);
    expect(await isTakenFor(id, victim, freshClient())).toBe(nobody);
    await mcp.end();
  });

  it('loses a set key as soon as the key is replaced', async () => {
    const victim = await join((await createOrg()).key);
    const mcp = await mcpClient({});
    await callTool(mcp, 'set_agent_key', { agent_key: keyOf(victim) });
    expect((await callTool(mcp, 'set_agent_key', { agent_key: 'registry-agent-sk-nobody' })).isError).toBe(true);
    expect((await reviewAs(mcp, victim.agentId)).body['code']).toBe('no_unreviewed_exchange');
    await mcp.end();
    const wrong = await mcpClient(bearer(`${keyOf(victim)}x`));
    expect((await reviewAs(wrong, victim.agentId)).body['code']).toBe('invalid_credential');
    await wrong.end();
  });
});

import { call, createOrg, gateways, get, join, post, review } from './ask.ts';
import { type RecordingAgent, respondJson, startRecordingAgent } from './recording-agent.ts';
import { type HeaderMap, textMessage, unique } from './registry.ts';

const expectStatus = (answer: { status: number }, status: number): void => {
  if (answer.status !== status) throw new Error(`an answer with status ${answer.status} instead of ${status}`);
};

/** Far more than one organisation may have. */
const streamsMax = 100;

/** Opens more streams of events than one organisation may have at a gateway, the last of which is refused, and ends them. */
const followBeyondTheLimit = async (agentId: string, key: HeaderMap): Promise<void> => {
  const leaving = new AbortController();
  try {
    for (let open = 0; open < streamsMax; open += 1) {
      const { status } = await fetch(`${gateways[0]}/org/agents/${agentId}/events`, {
        headers: { accept: 'text/event-stream', ...key },
        signal: leaving.signal,
      });
      if (status === 503) return;
      if (status !== 200) throw new Error(`a stream with status ${status}`);
    }
    throw new Error(`${streamsMax} streams of one organisation, and none is refused`);
  } finally {
    leaving.abort();
  }
};

/**
 * Has every service do what it measures: registrations, verdicts, calls, payments, a review and a checkpoint, at both gateways.
 * @param made what a caller makes up, wherever one can
 * @returns the agent that was called; stop it afterwards
 * @throws if an answer has another status than it should
 */
export async function causeTraffic(made: string): Promise<RecordingAgent> {
  const agent = await startRecordingAgent(respondJson(200, { ok: true }));
  const [org, other] = [await createOrg(), await createOrg()];
  const caller = await join(other.key, { org_domain: `${unique('d')}.example` });
  const receiver = await join(org.key, { endpoint_url: agent.url, settlement_rail: ['x402'] });
  for (const gateway of gateways) {
    expectStatus(await call(caller, receiver.agentId, textMessage('hello')), 200);
    expectStatus(await fetch(`${gateway}/pay/${receiver.agentId}`), 200);
    expectStatus(await get(`/agent/${receiver.agentId}`), 200);
    expectStatus(await post('/verify', { agent_id: receiver.agentId }), 200);
  }
  const { body } = await call(caller, receiver.agentId, textMessage('hello'));
  const reviewed = await review(caller, receiver.agentId, { transaction_id: body['transaction_id'] });
  expectStatus(reviewed, 200);
  await followBeyondTheLimit(receiver.agentId, org.key);
  // What callers make up, wherever they can.
  expectStatus(await call(caller, made, textMessage('hello')), 404);
  expectStatus(await fetch(`${gateways[0]}/pay/${made}`), 404);
  expectStatus(await fetch(`${gateways[0]}/${made}?${made}`, { method: 'DELETE' }), 404);
  expectStatus(await get('/log/checkpoint'), 200);
  return agent;
}

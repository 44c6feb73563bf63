import { randomBytes } from 'node:crypto';

const requestTimeoutMs = 40_000;

export type Json = Record<string, unknown>;

/** The registry over HTTP, as far as the demonstration needs it. Every refusal is an error with the request and the answer. */
export function registryClient(baseUrl: string) {
  const send = async (method: string, path: string, headers: Record<string, string>, body?: Json): Promise<unknown> => {
    const response = await fetch(new URL(path, baseUrl), {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
    return answer;
  };
  return {
    get: (path: string) => send('GET', path, {}),
    post: (path: string, body: Json, headers: Record<string, string> = {}) => send('POST', path, headers, body),
  };
}
export type RegistryClient = ReturnType<typeof registryClient>;

/** A short random suffix, so that the demonstration can run again on the same data. */
export function newMark(): string {
  return randomBytes(3).toString('hex');
}

export type Trust = { agent_id: string; trust_score: number; recommended_action: string; verified: boolean };
export async function verify(registry: RegistryClient, agentId: string): Promise<Trust> {
  return (await registry.post('/verify', { agent_id: agentId })) as Trust;
}

/** An agent with its bearer key. */
export type Member = { agentId: string; key: string; orgDomain: string | null };

/** Registers an agent and redeems its claim link for the bearer key. */
export async function join(
  registry: RegistryClient,
  registration: Json & { agent_id: string },
  orgKey?: string,
): Promise<Member> {
  const headers: Record<string, string> = orgKey === undefined ? {} : { 'x-api-key': orgKey };
  const registered = (await registry.post('/register', registration, headers)) as { claim_link: string };
  const link = new URL(registered.claim_link);
  const redeemed = (await registry.get(`${link.pathname}${link.search}`)) as { agent_key: string };
  const domain = registration['org_domain'];
  return {
    agentId: registration.agent_id,
    key: redeemed.agent_key,
    orgDomain: typeof domain === 'string' ? domain : null,
  };
}

/** Creates an organisation; returns its production key. */
export async function createOrganisation(registry: RegistryClient, adminKey: string, name: string): Promise<string> {
  const body = { org_name: name, contact_email: 'ops@registry.example' };
  const created = (await registry.post('/org/create-key', body, { 'x-admin-key': adminKey })) as { api_key: string };
  return created.api_key;
}

const envelope = (data: Json): Json => ({
  jsonrpc: '2.0',
  method: 'message/send',
  params: {
    message: { role: 'user', parts: [{ kind: 'data', content_type: 'application/json', content: data }] },
  },
});

export type CallAnswer = {
  transaction_id: string;
  status_code: number;
  body: unknown;
  fallback_suggestion: string | null;
};

/** Calls an agent through the registry. */
export async function call(registry: RegistryClient, caller: Member, agentId: string, data: Json): Promise<CallAnswer> {
  return (await registry.post(
    '/call',
    { caller_agent_id: caller.agentId, agent_id: agentId, message: envelope(data) },
    { authorization: `Bearer ${caller.key}` },
  )) as CallAnswer;
}

/** Reviews the newest exchange of the pair; returns the receiver's trust after it. */
export async function review(
  registry: RegistryClient,
  caller: Member,
  agentId: string,
  verdict: { success: boolean; score: number },
): Promise<Trust> {
  return (await registry.post(
    '/review',
    { caller_agent_id: caller.agentId, receiver_agent_id: agentId, ...verdict },
    { authorization: `Bearer ${caller.key}` },
  )) as Trust;
}

import type { Stack } from '@agent-trust/dev-stack';
import { evenIfDone, served } from './served.ts';

export type Body = Record<string, unknown>;
export type HeaderMap = Record<string, string>;
/** `body` holds the members of a JSON object, `list` the elements of a JSON array; otherwise they are empty. */
export type Answer = { status: number; body: Body; list: Body[]; text: string; headers: Headers };

/** Sends one request. A string or bytes are sent unchanged, any other value as JSON; redirects are returned, not followed. */
export async function sendTo(
  baseUrl: string,
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: HeaderMap } = {},
): Promise<Answer> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true && text !== '';
  const parsed: unknown = isJson ? JSON.parse(text) : {};
  const list = Array.isArray(parsed) ? (parsed as Body[]) : [];
  return { status: response.status, body: parsed as Body, list, text, headers: response.headers };
}

/** A client of the registry at one address. */
export function httpTo(baseUrl: string) {
  const send = (method: string, path: string, body?: unknown, headers: HeaderMap = {}): Promise<Answer> =>
    sendTo(baseUrl, method, path, { body, headers });
  return {
    send,
    get: (path: string, headers?: HeaderMap) => send('GET', path, undefined, headers),
    post: (path: string, body: unknown, headers?: HeaderMap) => send('POST', path, body, headers),
  };
}
export type Http = ReturnType<typeof httpTo>;

export function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}
export function orgKey(key: string): Record<string, string> {
  return { 'x-api-key': key };
}

let counter = 0;
/** An id that no other test of this run uses. */
export function unique(name: string): string {
  return `${name}-${process.pid}-${Date.now().toString(36)}-${(counter += 1)}`;
}

export async function createOrganisation(
  stack: Pick<Stack, 'url' | 'adminKey'>,
  name = unique('org'),
): Promise<{ name: string; key: string; sandboxKey: string }> {
  const organisation = { org_name: name, contact_email: 'ops@org.example' };
  const { status, body } = await served(
    () => httpTo(stack.url).post('/org/create-key', organisation, { 'x-admin-key': stack.adminKey }),
    evenIfDone,
  );
  if (status !== 201) throw new Error(`create-key returned ${status}: ${JSON.stringify(body)}`);
  return { name, key: String(body['api_key']), sandboxKey: String(body['sandbox_api_key']) };
}

export type Member = { agentId: string; key: string };

/** Redeems a claim link; returns the bearer key. */
export async function claim(http: Http, claimLink: unknown): Promise<string> {
  const link = new URL(String(claimLink));
  const { status, body } = await served(() => http.get(`${link.pathname}${link.search}`), evenIfDone);
  if (status !== 200) throw new Error(`redeeming returned ${status}: ${JSON.stringify(body)}`);
  return String(body['agent_key']);
}

/** Registers an agent, with an organisation's key or without an organisation, and redeems its claim link. */
export async function registerAgent(
  http: Http,
  options: { key?: string; agentId?: string; fields?: Record<string, unknown> } = {},
): Promise<Member> {
  const agentId = options.agentId ?? unique('agent');
  const contact = options.key === undefined ? { contact_email: 'owner@agent.example' } : {};
  const headers = options.key === undefined ? {} : orgKey(options.key);
  const { status, body } = await served(
    () => http.post('/register', { agent_id: agentId, ...contact, ...options.fields }, headers),
    evenIfDone,
  );
  if (status !== 201) throw new Error(`register returned ${status}: ${JSON.stringify(body)}`);
  return { agentId, key: await claim(http, body['claim_link']) };
}

export function textMessage(content: string, method = 'message/send'): Record<string, unknown> {
  return {
    jsonrpc: '2.0',
    method,
    params: { message: { role: 'user', parts: [{ kind: 'text', content_type: 'text/plain', content }] } },
  };
}

export function callBody(
  caller: Member,
  agentId: string,
  message: unknown = textMessage('hello'),
): Record<string, unknown> {
  return {
    caller_agent_id: caller.agentId,
    agent_id: agentId,
    message,
  };
}

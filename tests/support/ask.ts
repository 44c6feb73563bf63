import { waitFor } from '@agent-trust/test-kit';
import { inject } from 'vitest';
import { type Answer, type Body, bearer, type HeaderMap, orgKey, sendTo, unique } from './registry.ts';
import { evenIfDone, served } from './served.ts';

export type { Answer, Body, HeaderMap };

export const stack = inject('stack');
const [firstGateway = '', secondGateway = ''] = stack.urls;
export const gateways = [firstGateway, secondGateway] as const;
/**
 * The first gateway without the proxy that checks answers against the OpenAPI document. Tests use it for bytes that are not HTTP and for
 * the fate of a single connection (pipelined requests, half-closed sockets): a proxy would answer such bytes itself, and it opens
 * connections of its own.
 */
export const [bareGateway = ''] = stack.bareUrls;

/** Part of the path of every test agent's endpoint. No answer may show it, nor any of the hosts registered below. */
export const endpointMark = 'hidden-endpoint-7c1e';
const endpointHosts = new Set<string>();
export function hideHost(url: string): void {
  return void endpointHosts.add(new URL(url).host);
}
/** Clears the hosts at the start of a file: the worker keeps this module for the next one. */
export function forgetEndpointHosts(): void {
  endpointHosts.clear();
}

export type AskOptions = {
  headers?: HeaderMap;
  /** A string or bytes are sent unchanged, any other value as JSON. */
  body?: unknown;
  gateway?: string;
  /** True if the answer goes to the agent's owner, who may see the endpoint. */
  owner?: boolean;
};

/**
 * Checks what holds for every answer of the registry: it carries the request's id, reports errors in one shape, and never shows an
 * agent's endpoint. The proxy in front of the gateway checks the answer against the OpenAPI document.
 */
export function checkAnswer(
  method: string,
  path: string,
  answer: { status: number; text: string; headers: Headers },
  isOwner = false,
): void {
  const { status, text, headers } = answer;
  const at = `${method} ${path.slice(0, 200)} ${status}`;
  const requestId = headers.get('x-request-id');
  if (requestId === null) throw new Error(`${at}: no X-Request-Id`);
  if (status >= 400 && method !== 'HEAD' && !(path === '/health' && status === 503)) {
    const body = JSON.parse(text) as Body;
    if (body['request_id'] !== requestId) throw new Error(`${at}: request_id is not X-Request-Id`);
    if ((status === 422) !== Array.isArray(body['detail']))
      throw new Error(`${at}: detail is ${typeof body['detail']}`);
    if ((status === 429 || status === 503) && !/^\d+$/u.test(headers.get('retry-after') ?? ''))
      throw new Error(`${at}: no Retry-After`);
  }
  if (isOwner) return;
  const seen = `${text}\n${[...headers].map((pair) => pair.join(': ')).join('\n')}`;
  const traces = [endpointMark, ...endpointHosts].filter((trace) => seen.includes(trace));
  if (traces.length > 0) throw new Error(`${at} shows an endpoint (${traces.join(', ')}): ${seen.slice(0, 500)}`);
}

/** True for routes that show an endpoint to the agent's owner. */
export function isForOwner(method: string, path: string): boolean {
  return method === 'POST' ? /^\/register(\?|$)/u.test(path) : /^\/org\/agents([/?]|$)/u.test(path);
}

/** Sends a request to a gateway and checks what holds for every answer. */
export async function ask(method: string, path: string, options: AskOptions = {}): Promise<Answer> {
  const answer = await sendTo(options.gateway ?? firstGateway, method, path, options);
  checkAnswer(method, path, answer, options.owner ?? isForOwner(method, path));
  return answer;
}

/** The health of a gateway once it is well: on a busy machine one of its parts may answer too late to be called well. */
export function wellHealth(headers: HeaderMap = {}, gateway?: string): Promise<Answer> {
  return waitFor(
    async () => {
      const answer = await get('/health', headers, gateway);
      return answer.status === 200 ? answer : null;
    },
    { description: 'a gateway that is well' },
  );
}

export function get(path: string, headers: HeaderMap = {}, gateway?: string): Promise<Answer> {
  return ask('GET', path, { headers, ...(gateway === undefined ? {} : { gateway }) });
}
export function post(path: string, body: unknown, headers: HeaderMap = {}, gateway?: string): Promise<Answer> {
  return ask('POST', path, { body, headers, ...(gateway === undefined ? {} : { gateway }) });
}

export const adminToken: HeaderMap = bearer(stack.adminToken);
export const adminKey: HeaderMap = { 'x-admin-key': stack.adminKey };

let clients = 0;
/** A client address that no other test uses, in this worker or another. */
export function freshClient(): HeaderMap {
  clients += 1;
  const worker = (Number(process.env['VITEST_POOL_ID']) << 5) | (process.pid & 31);
  return { 'x-forwarded-for': `10.${worker & 255}.${(clients >> 8) & 255}.${clients & 255}` };
}

export function verify(agentId: string, headers: HeaderMap = {}, gateway?: string): Promise<Answer> {
  return post('/verify', { agent_id: agentId }, headers, gateway);
}
export function profile(agentId: string, headers: HeaderMap = {}): Promise<Answer> {
  return get(`/agent/${encodeURIComponent(agentId)}`, headers);
}

/** The token in a claim link. */
export function tokenOf(claimLink: unknown): string {
  return new URL(String(claimLink)).searchParams.get('token') ?? '';
}
export function redeem(claimLink: unknown, gateway?: string): Promise<Answer> {
  return get(`/rotate?token=${encodeURIComponent(tokenOf(claimLink))}`, {}, gateway);
}

export type Org = { name: string; key: HeaderMap; sandboxKey: HeaderMap };

export async function createOrg(name = unique('org')): Promise<Org> {
  const { status, body, text } = await served(
    () => post('/org/create-key', { org_name: name, contact_email: 'ops@org.example' }, adminKey),
    evenIfDone,
  );
  if (status !== 201) throw new Error(`create-key returned ${status}: ${text}`);
  return { name, key: orgKey(String(body['api_key'])), sandboxKey: orgKey(String(body['sandbox_api_key'])) };
}

/**
 * The fields of an agent, with `false` as the answer to every question about its capabilities. So made-up names stay unchanged, even if
 * the taxonomy or another test has similar ones.
 */
export function keepingNames(fields: Body): Body {
  const { capabilities } = fields;
  if (!Array.isArray(capabilities)) return fields;
  const names = capabilities.map((one: unknown) => (typeof one === 'string' ? one : (one as { name: string }).name));
  return { capability_confirmations: Object.fromEntries(names.map((name) => [name, false])), ...fields };
}

/** An agent with its bearer key as a header. */
export type Member = { agentId: string; auth: HeaderMap };

/** Registers an agent and redeems its claim link. Without a credential the agent has no organisation, so it gets a contact e-mail. */
export async function join(credential: HeaderMap = {}, fields: Body = {}): Promise<Member> {
  const agentId = typeof fields['agent_id'] === 'string' ? fields['agent_id'] : unique('agent');
  const contact = Object.keys(credential).length === 0 ? { contact_email: 'owner@agent.example' } : {};
  const registration = { agent_id: agentId, ...contact, ...keepingNames(fields) };
  const registered = await served(() => post('/register', registration, credential), evenIfDone);
  if (registered.status !== 201) throw new Error(`register returned ${registered.status}: ${registered.text}`);
  const claimed = await served(() => redeem(registered.body['claim_link']), evenIfDone);
  if (claimed.status !== 200) throw new Error(`redeeming returned ${claimed.status}: ${claimed.text}`);
  return { agentId, auth: bearer(String(claimed.body['agent_key'])) };
}

export function call(
  caller: Member,
  agentId: string,
  message: unknown,
  more: Body = {},
  headers: HeaderMap = {},
): Promise<Answer> {
  return post(
    '/call',
    { caller_agent_id: caller.agentId, agent_id: agentId, message, ...more },
    { ...caller.auth, ...headers },
  );
}

export function review(caller: Member, receiverAgentId: string, more: Body = {}): Promise<Answer> {
  return post(
    '/review',
    { caller_agent_id: caller.agentId, receiver_agent_id: receiverAgentId, success: true, score: 9, ...more },
    caller.auth,
  );
}

/** The processes of the system with their restart counts. */
export async function processes(): Promise<{ name: string; restarts: number }[]> {
  return (await (await fetch(stack.processesUrl)).json()) as { name: string; restarts: number }[];
}

/** The locations in a 422's detail, e.g. `body.capabilities.0.name`. */
export function faultLocations({ body }: Answer): string[] {
  return (body['detail'] as { loc: (string | number)[] }[]).map(({ loc }) => loc.join('.'));
}

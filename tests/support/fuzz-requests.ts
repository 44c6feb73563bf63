import { endpointMark, type HeaderMap, type Member } from './ask.ts';
import { textMessage } from './registry.ts';

export type FuzzRequest = { method: string; path: string; headers: HeaderMap; body: string | Buffer | null };
/** What exists in the registry, so that some requests pass the first checks. */
export type Known = {
  members: Member[];
  /** Credentials that allow a registration. */
  owners: HeaderMap[];
  /** All credentials, and none. */
  headers: HeaderMap[];
  endpointUrl: string;
};

const nastyTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00x',
  '😀'.repeat(64),
  '😀'.repeat(65),
  'a'.repeat(128),
  'a'.repeat(129),
  'a'.repeat(5_000),
  '\u202e\u0301\ufeff\uffff',
  '__proto__',
  'constructor',
  'toString',
  "'; DROP TABLE agent; --",
  '%00',
  '%F0%9F%98%80',
  '../../etc/passwd',
  '${jndi:ldap://x}',
  '<script>',
  '\r\nX-Injected: 1',
  '-1',
  '1e999',
  'NaN',
  'null',
  'x402',
  'a2a',
  'mcp',
  'http://127.0.0.1:1/',
  'https://[::1]/',
  'javascript:1',
  'a@b.example',
  'acme.example',
  'ＡＣＭＥ',
  '\u0130',
  'ß'.repeat(50),
];
const nastyNumbers = [
  '0',
  '-0',
  '1',
  '-1',
  '1.5',
  '1e308',
  '1e400',
  '-1e400',
  '9007199254740993',
  '4294967296',
  '2147483648',
  '10',
  '200',
  '201',
  '0.1e-400',
];

const agentFields = [
  'agent_id',
  'org_name',
  'org_domain',
  'contact_info',
  'contact_email',
  'capabilities',
  'endpoint_url',
  'protocol',
  'accepted_terms_format',
  'settlement_rail',
  'http_methods',
  'specialty',
  'public_key',
  'price_schedule',
  'payment_network',
  'payment_pay_to',
  'payment_asset',
  'capability_confirmations',
  'candidate_matches',
  'message_protocol',
  'a2a_compliant',
  'accepted_content_types',
  'payload_schema',
  'signup_help',
  'auth_header_name',
];

/** The fields of each route, so that random bodies resemble real ones. */
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  '/verify': ['agent_id'],
  '/match': ['required_capabilities', 'settlement_rail', 'org_name', 'message_protocol', 'limit'],
  '/register': [...agentFields, 'clone_from_agent_id', 'verified'],
  '/update': [...agentFields, 'pull_from_agent_id'],
  '/rotate': ['agent_id'],
  '/sandbox/publish': ['agent_id'],
  '/sandbox/withdraw': ['agent_id'],
  '/sandbox/promote': ['sandbox_agent_id', 'real_agent_id'],
  '/sandbox/preview_match': ['sandbox_agent_id', 'required_capabilities', 'settlement_rail'],
  '/call': ['caller_agent_id', 'agent_id', 'message', 'forwarded_headers', 'method'],
  '/review/answer': ['agent_id', 'transaction_id', 'text'],
  '/review': ['transaction_id', 'caller_agent_id', 'receiver_agent_id', 'success', 'score'],
  '/org/create-key': ['org_name', 'contact_email'],
  '/a2a': ['jsonrpc', 'id', 'method', 'params'],
};
const always = new Set([
  'agent_id',
  'caller_agent_id',
  'receiver_agent_id',
  'sandbox_agent_id',
  'contact_email',
  'message',
  'success',
  'score',
]);
const posts = Object.keys(fieldsOf);
const gets = [
  '/health',
  '/registry',
  '/agent/',
  '/rotate',
  '/org/whoami',
  '/whoami',
  '/ops/whoami',
  '/org/agents',
  '/org/agents/',
  '/org/payments',
  '/openapi.json',
  '/.well-known/agent-card.json',
  '/.well-known/agent.json',
];
const later = ['/import-agent', '/pay/x', '/ops/settlements', '/agent/x/trust'];
/** MCP, over both transports; the answers are errors of JSON-RPC. */
const mcpPaths = ['/mcp-http/mcp', '/mcp/messages', '/mcp/messages?sessionId=none'];
const queryNames = ['limit', 'offset', 'min_trust_score', 'token', 'as_of', 'signed', '__proto__', 'limit[]', ''];

/** Makes random requests, reproducible by `random`: half plausible, half not, all of them valid HTTP. */
export function fuzzRequests(random: () => number, known: Known): () => FuzzRequest {
  const below = (count: number): number => Math.floor(random() * count);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const chance = (probability: number): boolean => random() < probability;
  const randomText = (): string =>
    String.fromCodePoint(...Array.from({ length: below(40) }, () => below(chance(0.5) ? 0x80 : 0x110000)));
  const anyText = (): string =>
    chance(0.6) ? pick(nastyTexts) : chance(0.5) ? pick(known.members).agentId : randomText();

  /** JSON text of a random value, written by hand: JSON.stringify writes no number beyond a double and no repeated name. */
  const anyJson = (depth: number): string => {
    switch (below(depth > 3 ? 5 : 8)) {
      case 0:
        return pick(['null', 'true', 'false']);
      case 1:
        return pick(nastyNumbers);
      case 2:
      case 3:
      case 4:
        return JSON.stringify(anyText());
      case 5:
        return `[${Array.from({ length: below(4) }, () => anyJson(depth + 1)).join(',')}]`;
      default:
        return anyObject(depth + 1, ['name', 'weight', 'task', 'price', 'kind', 'content', '__proto__', anyText()]);
    }
  };
  const anyObject = (depth: number, names: readonly string[]): string =>
    `{${Array.from({ length: below(5) }, () => `${JSON.stringify(pick(names))}:${anyJson(depth)}`).join(',')}}`;

  /** A value that is small to send and costly to hold: nested deep, or of many members. */
  const bulky = (): string => {
    const count = pick([100, 1_000, 20_000, 100_000]);
    switch (below(4)) {
      case 0:
        return '['.repeat(count) + ']'.repeat(count);
      case 1:
        return '{"a":'.repeat(count) + '1' + '}'.repeat(count);
      case 2:
        return `[${'{},'.repeat(count)}0]`;
      default:
        return `{${Array.from({ length: count }, (_, index) => `"k${index}":0`).join(',')}}`;
    }
  };

  const sensible = (field: string, callerAgentId?: string): string => {
    switch (field) {
      case 'caller_agent_id':
        return JSON.stringify(callerAgentId ?? pick(known.members).agentId);
      case 'agent_id':
      case 'sandbox_agent_id':
      case 'real_agent_id':
      case 'receiver_agent_id':
        return JSON.stringify(chance(0.7) ? pick(known.members).agentId : `fuzzed ${below(1e9)}`);
      case 'message':
        return JSON.stringify(
          textMessage(randomText().toWellFormed(), chance(0.8) ? 'message/send' : 'message/stream'),
        );
      case 'contact_email':
        return '"a@b.example"';
      case 'endpoint_url':
        return JSON.stringify(chance(0.7) ? known.endpointUrl : `https://agent.example/${endpointMark}`);
      case 'accepted_content_types':
        return '["text/plain"]';
      case 'org_domain':
        return JSON.stringify(`d${below(1e9)}.example`);
      case 'org_name':
        return JSON.stringify(`fuzzed ${below(1e9)}`);
      case 'capabilities':
        return JSON.stringify([{ name: `c${below(20)}`, weight: 1 + below(3) }]);
      case 'required_capabilities':
        return JSON.stringify([`c${below(20)}`]);
      case 'success':
      case 'verified':
      case 'a2a_compliant':
        return pick(['true', 'false']);
      case 'score':
        return String(1 + below(10));
      case 'message_protocol':
        return pick(['"a2a"', '"mcp"', '"raw"']);
      default:
        return 'null';
    }
  };

  const bodyFor = (path: string, callerAgentId?: string): string | Buffer => {
    const fields = fieldsOf[path] ?? ['agent_id'];
    if (chance(0.05)) return chance(0.2) ? bulky() : anyJson(0);
    // Every other body is plausible throughout, so that some requests pass the checks of shape.
    const wildness = chance(0.5) ? 0 : 0.3;
    const members = fields
      .filter((field) => always.has(field) || chance(fields.length > 10 ? 0.3 : 0.9))
      .map((field) => `${JSON.stringify(field)}:${chance(wildness) ? anyJson(0) : sensible(field, callerAgentId)}`);
    // In one of its fields, or in one that nobody reads.
    if (chance(0.05)) members.push(`${JSON.stringify(chance(0.7) ? pick(fields) : 'x')}:${bulky()}`);
    const text = `{${members.join(',')}}`;
    if (!chance(0.1)) return text;
    // Damaged at a random place: one byte changed or dropped, or the rest cut off.
    const bytes = Buffer.from(text);
    const at = below(bytes.length);
    if (chance(0.5)) return bytes.subarray(0, at);
    bytes[at] = below(256);
    return bytes;
  };

  /** An initialize that is nearly right, other messages, and lists of both. */
  const mcpBody = (): string => {
    const field = (sound: string): string => (chance(0.6) ? sound : chance(0.2) ? bulky() : anyJson(0));
    const version = field('"2025-11-25"');
    const info = field('{"name":"fuzz","version":"1"}');
    const params = field(`{"protocolVersion":${version},"capabilities":${field('{}')},"clientInfo":${info}}`);
    const method = chance(0.7) ? '"initialize"' : field('"tools/list"');
    const one = `{"jsonrpc":"2.0","id":${field('1')},"method":${method},"params":${params}}`;
    return chance(0.8) ? one : `[${Array.from({ length: below(20) }, () => one).join(',')}]`;
  };

  const encoded = (text: string): string =>
    chance(0.9) ? encodeURIComponent(text.toWellFormed()) : text.replaceAll(/[^!-~]|[?#\s]/gu, '%');
  const query = (): string =>
    chance(0.5)
      ? ''
      : `?${Array.from({ length: below(4) }, () => `${encodeURIComponent(pick(queryNames))}=${chance(0.5) ? pick(nastyNumbers) : encoded(anyText())}`).join('&')}`;

  const headers = (credentials: readonly HeaderMap[] = known.headers): HeaderMap => ({
    'x-forwarded-for': `10.${below(256)}.${below(256)}.${below(256)}`,
    ...pick(credentials),
    ...(chance(0.1) ? { 'x-request-id': pick(['', 'fuzz', 'a'.repeat(129), 'é']) } : {}),
    ...(chance(0.05) ? { authorization: pick(['Bearer', 'Bearer x', 'Basic x', '', 'Bearer a b']) } : {}),
    ...(chance(0.05) ? { 'x-api-key': pick(['', 'x', 'é']) } : {}),
    ...(chance(0.03) ? { 'idempotency-key': pick(['', 'k', 'k'.repeat(200)]) } : {}),
    ...(chance(0.03) ? { 'signature-input': 'sig1=("@method");created=1', signature: 'sig1=:AA==:' } : {}),
    ...(chance(0.05)
      ? { 'mcp-session-id': pick(['s', 'é', 'a'.repeat(2_000)]), 'x-payment': pick(['', 'p', 'a'.repeat(17_000)]) }
      : {}),
    ...(chance(0.03)
      ? { traceparent: pick(['00-', 'x', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01']) }
      : {}),
  });

  return () => {
    if (chance(0.1)) {
      const method = pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']);
      const path = pick([...later, ...posts, ...gets, '/', '//', `/${encoded(randomText())}`]);
      return { method, path: path + query(), headers: headers(), body: null };
    }
    if (chance(0.3)) {
      const path = pick(gets);
      const id = path.endsWith('/') ? encoded(anyText()) : '';
      return { method: chance(0.9) ? 'GET' : 'HEAD', path: path + id + query(), headers: headers(), body: null };
    }
    if (chance(0.05)) {
      const accept = chance(0.9) ? 'application/json, text/event-stream' : 'text/plain';
      const own = { 'content-type': 'application/json', accept, 'mcp-protocol-version': '2025-11-25' };
      return { method: 'POST', path: pick(mcpPaths), headers: { ...headers(), ...own }, body: mcpBody() };
    }
    const path = pick(posts);
    const contentType = chance(0.95)
      ? 'application/json'
      : pick(['text/plain', 'application/json; charset=x', 'é', 'application/x+json']);
    const caller = pick(known.members);
    const isSigned = (path === '/call' || path === '/review') && chance(0.7);
    return {
      method: 'POST',
      path: path + (chance(0.9) ? '' : query()),
      headers: {
        'content-type': contentType,
        ...headers(
          (path === '/register' || path.startsWith('/sandbox/')) && chance(0.7) ? known.owners : known.headers,
        ),
        ...(isSigned ? caller.auth : {}),
      },
      body: isSigned ? bodyFor(path, caller.agentId) : bodyFor(path),
    };
  };
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Access, Caller } from './access.ts';
import type { Expected, Store } from './store.ts';

type Asked = { method: string; path: string[]; headers: IncomingMessage['headers']; body: Record<string, unknown> };
type Answer = { status: number; body?: unknown };

const bodyBytesMax = 1024 * 1024;
const denied: Answer = { status: 401 };

/**
 * The HTTP interface of a node, as far as it is documented and administrators use it: users and their passwords, metadata and events of a
 * stream, scavenging. On the same port as gRPC.
 */
export function httpAdmin(store: Store, access: Access): Server {
  const handle = ({ method, path, headers, body }: Asked): Answer => {
    const caller = access.callerOf(headers.authorization);
    if (caller === null || caller === 'nobody') return denied;
    const [kind = '', name = '', ...rest] = path;
    switch (kind) {
      case 'users':
        return users(access, caller, method, [name, ...rest].join('/'), body);
      case 'streams':
        return streams(store, access, caller, { method, name, rest: rest.join('/'), headers, body });
      case 'admin': {
        const mayScavenge = access.isAdmin(caller) || caller.groups.includes('$ops');
        if (name !== 'scavenge' || method !== 'POST') return { status: 404 };
        return mayScavenge ? { status: 200, body: { scavengeId: '1' } } : denied;
      }
      default:
        return { status: 404 };
    }
  };
  return createServer((request, response) => void serve(request, response, handle));
}

const serve = async (
  request: IncomingMessage,
  response: ServerResponse,
  handle: (asked: Asked) => Answer,
): Promise<void> => {
  try {
    let text = '';
    for await (const part of request.setEncoding('utf8')) {
      text += String(part);
      if (text.length > bodyBytesMax) throw new RangeError('the body is too large');
    }
    const path = (request.url ?? '').split('/').slice(1).map(decodeURIComponent);
    const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
    const { status, body: answer } = handle({ method: request.method ?? '', path, headers: request.headers, body });
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(answer === undefined ? '' : JSON.stringify(answer));
  } catch (error) {
    response.writeHead(400).end(String(error));
  }
};

const users = (access: Access, caller: Caller, method: string, path: string, body: Record<string, unknown>): Answer => {
  const [name = '', command = ''] = path.split(/\/command\//u);
  const user = access.users.get(name);
  const isSelf = caller !== 'nobody' && caller.name === name;
  if (method === 'GET' && (isSelf || access.isAdmin(caller))) {
    if (user === undefined) return { status: 404, body: { success: false, error: 'NotFound' } };
    const { fullName, groups } = user;
    return { status: 200, body: { success: true, data: { loginName: name, fullName, groups, disabled: false } } };
  }
  if (!access.isAdmin(caller)) return denied;
  if (method === 'POST' && name === '') {
    const { loginName, fullName, groups, password } = body as Record<string, string> & { groups: string[] };
    if (loginName === undefined || password === undefined || !Array.isArray(groups)) return { status: 400 };
    if (access.users.has(loginName)) return { status: 409, body: { success: false, error: 'Conflict' } };
    access.users.set(loginName, { password, fullName: fullName ?? '', groups });
    return { status: 201 };
  }
  if (user === undefined) return { status: 404 };
  if (method === 'PUT' && command === '') {
    Object.assign(user, { fullName: body['fullName'], groups: body['groups'] });
    return { status: 200 };
  }
  if (method === 'POST' && command === 'reset-password') {
    user.password = String(body['newPassword']);
    return { status: 200 };
  }
  return { status: 404 };
};

const streams = (
  store: Store,
  access: Access,
  caller: Caller,
  asked: Omit<Asked, 'path'> & { name: string; rest: string },
): Answer => {
  const { method, name, rest, headers, body } = asked;
  if (method === 'GET' && rest === 'metadata') {
    if (!access.may(caller, 'read', `$$${name}`)) return denied;
    const last = store.stream(`$$${name}`).at(-1);
    return last === undefined ? { status: 404 } : { status: 200, body: JSON.parse(Buffer.from(last.data).toString()) };
  }
  if (method !== 'POST' || rest !== '') return { status: 404 };
  if (!access.may(caller, 'write', name)) return denied;
  const { 'es-eventtype': type, 'es-eventid': id, 'es-expectedversion': version } = headers;
  if (typeof type !== 'string' || typeof id !== 'string') return { status: 400 };
  const written = store.append(name, expectedOf(version), [eventOf(type, id, body)]);
  return { status: written.kind === 'ok' || written.kind === 'repeated' ? 201 : 400 };
};

const eventOf = (type: string, id: string, body: object) => ({
  id,
  metadata: new Map([
    ['type', type],
    ['content-type', 'application/json'],
  ]),
  customMetadata: new Uint8Array(),
  data: Buffer.from(JSON.stringify(body)),
});

const expectedOf = (version: string | string[] | undefined): Expected => {
  if (version === undefined || version === '-2') return 'any';
  return version === '-1' ? 'no_stream' : BigInt(String(version));
};

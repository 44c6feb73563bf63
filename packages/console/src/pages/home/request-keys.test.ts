import { describe, expect, it } from 'vitest';
import { type Held, noSession, type Session } from '../../session/session.ts';
import { requestKeysOf } from './request-keys.ts';

const held = (key: string, ...grants: string[]): Held => ({ key, who: key, organisation: null, rights: null, grants });
const organisation = held('org', 'register', 'read');
const sandbox = held('sandbox key', 'register', 'read');
const agent = held('shop', 'production');
const draft = held('draft', 'sandbox');
const of = (session: Partial<Session>) => requestKeysOf({ ...noSession, ...session });

describe('the keys for the five requests', () => {
  it.each<[string, Partial<Session>, object]>([
    ['none', {}, { organisation: null, operator: null, agent: null }],
    ['an organisation', { organisation }, { organisation: 'org', isSandbox: false }],
    ['a sandbox', { sandbox }, { organisation: 'sandbox key', isSandbox: true }],
    ['both of production', { organisation, sandbox }, { organisation: 'org', isSandbox: false }],
    [
      'both of the sandbox that is looked at',
      { organisation, sandbox, universe: 'sandbox' },
      { organisation: 'sandbox key', isSandbox: true },
    ],
    ['an agent', { agent }, { agent: { key: 'shop', agentId: 'shop' }, organisation: null, isSandbox: false }],
    ['an agent and its organisation', { agent, organisation }, { agent: { key: 'shop' }, organisation: 'org' }],
    ['an agent of a sandbox, with its key', { agent: draft, sandbox }, { agent: { key: 'draft' }, isSandbox: true }],
    ['an agent of production beside a sandbox', { agent, sandbox }, { agent: { key: 'shop' }, isSandbox: false }],
    ['an admin', { operator: held('op', 'admin') }, { operator: { key: 'op', registers: false } }],
    [
      'the token of the installation',
      { operator: held('op', 'admin', 'break-glass') },
      { operator: { key: 'op', registers: true } },
    ],
    ['an admin beside an organisation', { operator: held('op', 'admin'), organisation }, { operator: null }],
  ])('of %s', (_who, session, expected) => {
    const { keys, notes } = of(session);
    expect(keys).toMatchObject(expected);
    expect(notes.length > 0).toBe(Object.keys(session).length === 0);
  });

  it.each<[string, Partial<Session>, RegExp]>([
    ['an agent of a sandbox without its key', { agent: draft }, /draft is not filled in.*sandbox key/u],
    ['an agent of a sandbox in production', { agent: draft, organisation, sandbox }, /look at the sandbox/u],
    ['an agent of production in a sandbox', { agent, sandbox, universe: 'sandbox' }, /shop is not filled in/u],
    ['an operator without the role', { operator: held('op', 'operator') }, /the first request needs the role admin/u],
    ['a key without the scope', { organisation: held('org', 'read') }, /scope register/u],
  ])('leave out that of %s, and say which is needed', (_who, session, note) => {
    expect(of(session).notes.join(' ')).toMatch(note);
  });
});

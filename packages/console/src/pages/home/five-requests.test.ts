import { describe, expect, it } from 'vitest';
import { fiveRequests, type RequestKeys, type ShellRequest } from './five-requests.ts';

// The secret part may have hyphens, too.
const orgKey = `registry-org-sk-${'a'.repeat(20)}-sk-${'c'.repeat(19)}`;
const operatorKey = `registry-operator-sk-${'b'.repeat(43)}`;
const agentKey = `registry-agent-sk-${'d'.repeat(43)}`;
const noKeys: RequestKeys = { organisation: null, isSandbox: false, operator: null, agent: null };
const withKeys = (keys: Partial<RequestKeys>, baseUrl = 'http://127.0.0.1:8080'): ShellRequest[] =>
  fiveRequests(baseUrl, { ...noKeys, ...keys });
const textOf = (requests: ShellRequest[], part: 'command' | 'shown'): string =>
  requests.map((request) => request[part]).join('\n');

describe('the five requests', () => {
  it('create an organisation with the key of an operator', () => {
    const requests = withKeys({ operator: { key: operatorKey, registers: false } });
    expect(requests).toHaveLength(5);
    expect(requests[0]?.command).toContain(`Authorization: Bearer ${operatorKey}`);
    expect(requests[0]?.by).toBe("your operator's key");
  });

  it('register the agent with the token of the installation, which creates no organisation', () => {
    const [first, second] = withKeys({ operator: { key: 'token', registers: true } });
    expect(first?.command).toBe('N=$RANDOM$RANDOM');
    expect(second?.command).toContain("-H 'Authorization: Bearer token'");
    expect(second?.shown).not.toContain('token');
  });

  it('take the key of an organisation instead', () => {
    const [first] = withKeys({ organisation: orgKey });
    expect(first?.command).toBe(`N=$RANDOM$RANDOM\nORG_KEY='${orgKey}'`);
  });

  it("stay in the sandbox with its key, where the other agent is the organisation's, too", () => {
    const requests = withKeys({ organisation: orgKey, isSandbox: true });
    expect(requests[2]?.command.match(/X-API-KEY: \$ORG_KEY/gu)).toHaveLength(2);
    expect(requests[0]?.by).toBe("your organisation's sandbox key");
    expect(requests[4]?.title).toContain('moves no score');
  });

  it("call and review with the reader's own agent", () => {
    const requests = withKeys({ agent: { key: agentKey, agentId: 'shop' } });
    expect(requests[1]?.command).toBe(`KEY='${agentKey}'`);
    expect(requests.map(({ by }) => by)).toEqual([
      'no key',
      "your agent's key",
      'no key',
      "your agent's key",
      "your agent's key",
    ]);
    for (const { command } of requests.slice(3)) expect(command).toContain(`"caller_agent_id":"shop"`);
  });

  it('quote the id of an agent for JSON and for the shell', () => {
    const [, , , call] = withKeys({ agent: { key: agentKey, agentId: `a"b'; rm -rf $HOME` } });
    expect(call?.command).toContain(String.raw`"caller_agent_id":"a\"b'\''; rm -rf $HOME",`);
  });

  it('name a variable where the reader has no key', () => {
    const [first] = withKeys({});
    expect(first?.command).toContain('"X-Admin-Key: $ADMIN_KEY"');
    expect(first?.command).toContain(`ADMIN_KEY="\${ADMIN_KEY:-$(node -p`);
  });

  it('show keys shortened', () => {
    const requests = withKeys({ organisation: orgKey, agent: { key: agentKey, agentId: 'shop' } });
    expect(textOf(requests, 'shown')).toContain("ORG_KEY='registry-org-sk-…'");
    expect(textOf(requests, 'shown')).toContain("KEY='registry-agent-sk-…'");
    for (const key of [orgKey, agentKey]) {
      expect(textOf(requests, 'command')).toContain(key);
      expect(textOf(requests, 'shown')).not.toContain(key);
    }
  });

  it('quote an address that a shell would read as more than one', () => {
    const [, second] = withKeys({ organisation: orgKey }, "https://registry.test/it's");
    expect(second?.command).toContain(String.raw`'https://registry.test/it'\''s/register'`);
  });
});

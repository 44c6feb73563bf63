import { DomainError, tools } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { runTool, type ToolRun } from './run-tool.ts';
import { context } from './testing/run-with.ts';

describe('set_agent_key', () => {
  const key = `registry-agent-sk-${'A'.repeat(43)}`;
  const setKey = async (given: Record<string, unknown>, more: Partial<ToolRun> = {}) => {
    const set: (string | null)[] = [];
    const tool = tools.find(({ name }) => name === 'set_agent_key');
    if (tool === undefined) throw new Error('no tool');
    const setAgentKey = (next: string | null): Promise<void> => {
      set.push(next);
      return Promise.resolve();
    };
    const result = await runTool(tool, given, { ...context, setAgentKey, ...more });
    return { set, isError: result.isError === true, body: result.structuredContent, text: JSON.stringify(result) };
  };

  it('sets a valid key, and removes it', async () => {
    expect(await setKey({ agent_key: key })).toMatchObject({ set: [key], body: { status: 'set' } });
    for (const nothing of [{ agent_key: null }, { agent_key: '' }])
      expect(await setKey(nothing)).toMatchObject({ set: [null], body: { status: 'cleared' } });
  });

  it('does not treat a missing argument as null', async () => {
    expect(await setKey({ key: null })).toMatchObject({ set: [], body: { code: 'validation_failed' } });
  });

  it.each([`${key} `, key.slice(1), key.toUpperCase(), `registry-org-sk-${'A'.repeat(43)}`, 5, [key]])(
    'refuses %j without repeating it',
    async (odd) => {
      const { set, isError, body, text } = await setKey({ agent_key: odd });
      expect([set, isError, body]).toMatchObject([[], true, { detail: [{ loc: ['arguments', 'agent_key'] }] }]);
      expect(text).not.toContain('A'.repeat(43));
    },
  );

  it('refuses an unknown key, and keeps the former one', async () => {
    const { set, body, text } = await setKey({ agent_key: key }, { isLiveAgentKey: () => Promise.resolve(false) });
    expect([set, body]).toMatchObject([[], { code: 'invalid_credential' }]);
    expect(text).not.toContain(key);
  });

  it('reports a refusal of the session store', async () => {
    const setAgentKey = () => Promise.reject(new DomainError('unavailable', 'the session has ended'));
    expect(await setKey({ agent_key: key }, { setAgentKey })).toMatchObject({ body: { code: 'unavailable' } });
  });
});

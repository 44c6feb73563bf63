import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { tools } from '@agent-trust/contracts';
import { createOrg, freshClient, gateways } from '../support/ask.ts';
import { type Args, done, toolClient } from '../support/mcp-tools.ts';

const document = readFileSync(resolve(import.meta.dirname, '../../docs/mcp.md'), 'utf8');

it('the deal in docs/mcp.md works', async () => {
  const steps = [...document.matchAll(/^\d+\. `(\w+)` `(\{.*?\})`/gmu)].map(([, tool = '', args = '']) => ({
    tool,
    args,
  }));
  expect(steps.length).toBeGreaterThan(5);
  const { tool, end } = await toolClient({ ...(await createOrg()).sandboxKey, ...freshClient() });
  let known: Args = {};
  const answers: Record<string, Args> = {};
  for (const { tool: name, args } of steps) {
    const filled = args
      .replaceAll('http://127.0.0.1:8080', gateways[0])
      .replaceAll(/<(\w+)>/gu, (_whole, field: string) => String(known[field]));
    answers[name] = done(await tool(name, JSON.parse(filled) as Args));
    known = { ...known, ...answers[name] };
  }
  expect(answers['match_agents']).toMatchObject({
    result: [{ agent_id: 'deal-seller', recommended_action: 'proceed' }],
  });
  expect(answers['call_agent']).toMatchObject({ status_code: 200 });
  const { ratings_received } = done(await tool('get_agent', { agent_id: 'deal-seller' }));
  expect(ratings_received).toMatchObject([{ caller_agent_id: 'deal-buyer', score: 9 }]);
  await end();
});

it('docs/mcp.md lists every tool with its route', () => {
  for (const tool of tools) {
    const route = tool.kind === 'route' ? ` \`${tool.route.method} ${tool.route.path}\`` : '';
    expect(document).toContain(`| \`${tool.name}\` |${route} |`);
  }
});

import type { Stack } from '@agent-trust/dev-stack';
import { createOrganisation, httpTo, registerAgent } from '../support/registry.ts';
import { startHelper } from './helper-process.ts';
import { load, type LoadFigures } from './load.ts';

export const verifyConnections = 32;

/** POST /verify, compared with a bare fastify route that returns the same bytes. */
export async function benchVerify(stack: Stack, seconds: number): Promise<{ ours: LoadFigures; ceiling: LoadFigures }> {
  const http = httpTo(stack.url);
  const { key } = await createOrganisation(stack);
  const fields = {
    endpoint_url: 'http://127.0.0.1:1/',
    capabilities: ['price_quote', 'ocr'],
    settlement_rail: ['x402'],
  };
  const { agentId } = await registerAgent(http, { key, fields });
  const body = JSON.stringify({ agent_id: agentId });
  const headers = { 'content-type': 'application/json' };
  const answer = await http.post('/verify', body);
  const bare = await startHelper('bare-fastify.ts', JSON.stringify(answer.body));
  try {
    const ceiling = await load(
      { url: `${bare.url}/verify`, method: 'POST', headers, body },
      verifyConnections,
      seconds,
    );
    const ours = await load({ url: `${stack.url}/verify`, method: 'POST', headers, body }, verifyConnections, seconds);
    return { ours, ceiling };
  } finally {
    await bare.stop();
  }
}

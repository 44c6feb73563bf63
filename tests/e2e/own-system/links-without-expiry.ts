/** Bug: with links that do not expire, a claim link gets an expiry, or works twice. Links that expire: `tests/e2e/claims-by-mail.test.ts`. */
import type { Stack } from '@agent-trust/dev-stack';
import { expect, it } from 'vitest';
import { linkExpiries } from '../../support/claim-events.ts';
import { httpTo, unique } from '../../support/registry.ts';

export function testLinksWithoutExpiry(stackOf: () => Stack): void {
  it('a link never expires, and works once', async () => {
    const http = httpTo(stackOf().url);
    const agentId = unique('agent');
    const registered = await http.post('/register', { agent_id: agentId, contact_email: 'owner@agent.example' });
    const requested = await http.post('/rotate', { agent_id: agentId });
    expect(await linkExpiries(stackOf(), agentId)).toEqual([null, null]);
    for (const { body } of [registered, requested]) {
      const link = new URL(String(body['claim_link']));
      expect((await http.get(link.pathname + link.search)).status).toBe(200);
      expect((await http.get(link.pathname + link.search)).status).toBe(400);
    }
  });
}

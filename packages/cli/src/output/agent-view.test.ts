/** Bug: the answer of another server than a registry controls the terminal. */
import type { TrustObject } from '@agent-trust/client';
import { expect, it } from 'vitest';
import { showAgent, showAgents } from './agent-view.ts';
import { createOutput } from './output.ts';

it('shows no field of an answer unescaped', () => {
  const evil = '\u001b]0;owned\u0007\u202e';
  const agent = {
    agent_id: evil,
    trust_score: evil,
    recommended_action: evil,
    org_name: evil,
    verified: true,
    specialty: evil,
    capabilities: [{ name: evil, weight: 1 }],
    success_rate: null,
    liveness: {
      success_rate: evil,
      exchanges: evil,
      p50_answer_ms: evil,
      caller_organisations: evil,
      last_answered_at: evil,
    },
    transaction_count: evil,
    message_protocol: evil,
    accepted_content_types: [evil],
    routing: {
      http_methods: [evil],
      settlement_rail: [evil],
      price_schedule: [{ task: evil, price: evil }],
      pay_via: evil,
    },
    flags: [evil],
    last_active: evil,
  } as unknown as TrustObject;
  let shown = '';
  const stream = { write: (text: string) => (shown += text) };
  const out = createOutput({ stdout: stream, stderr: stream, env: {} }, false);
  showAgent(agent, out);
  showAgents([agent], out);
  expect(shown.length).toBeGreaterThan(200);
  expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
});

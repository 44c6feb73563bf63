import { webhookMessageWire } from '@agent-trust/contracts';
import { expect, it } from 'vitest';
import { messageBody } from './message.ts';

const at = new Date('2026-01-15T10:01:40.000Z');

it('says what a score was and is, in the bytes that consumers have always received', () => {
  const body = messageBody({
    type: 'trust_score.changed',
    agentId: 'acme-translator',
    position: 48_213n,
    at,
    trustPolicy: 'v1',
    trustScore: 77,
    previousScore: 76,
    causeType: 'ExchangeReviewed',
    causeEventId: 'e1',
    transactionId: 't1',
  });
  expect(body).toBe(
    '{"type":"trust_score.changed","timestamp":"2026-01-15T10:01:40.000Z","data":{"agent_id":"acme-translator","trust_score":77,' +
      '"previous_score":76,"trust_policy":"v1","position":"48213","cause":{"type":"ExchangeReviewed","event_id":"e1","transaction_id":"t1"}}}',
  );
  expect(webhookMessageWire.parse(JSON.parse(body))).toEqual(JSON.parse(body));
});

it.each([
  ['acme-translator', 'acme-translator'],
  ['', null],
])('says what happened to the agent %j', (agentId, shown) => {
  const type = agentId === '' ? 'organisation.disabled' : 'agent.suspended';
  const body: unknown = JSON.parse(
    messageBody({
      type,
      agentId,
      position: 48_214n,
      at,
      orgDomain: null,
      reason: 'abuse',
      causeType: 'AgentSuspended',
      causeEventId: 'e2',
      transactionId: null,
    }),
  );
  expect(body).toEqual({
    type,
    timestamp: at.toISOString(),
    data: {
      agent_id: shown,
      org_domain: null,
      reason: 'abuse',
      position: '48214',
      cause: { type: 'AgentSuspended', event_id: 'e2', transaction_id: null },
    },
  });
  expect(webhookMessageWire.parse(body)).toEqual(body);
});

it("says how many scores of its agents a change of an organisation's record has changed", () => {
  const body: unknown = JSON.parse(
    messageBody({
      type: 'organisation.record_changed',
      agentId: '',
      position: 48_215n,
      at,
      orgId: 'globex',
      trustPolicy: 'v2',
      agents: 10_000,
      record: 65,
      previousRecord: 75,
      causeType: 'ExchangeReviewed',
      causeEventId: 'e3',
      transactionId: 't3',
    }),
  );
  expect(body).toEqual({
    type: 'organisation.record_changed',
    timestamp: at.toISOString(),
    data: {
      agent_id: null,
      org_domain: null,
      reason: null,
      record_change: { org_id: 'globex', record: 65, previous_record: 75, trust_policy: 'v2', agents: 10_000 },
      position: '48215',
      cause: { type: 'ExchangeReviewed', event_id: 'e3', transaction_id: 't3' },
    },
  });
  expect(webhookMessageWire.parse(body)).toEqual(body);
});

import { describe, expect, it } from 'vitest';
import { webhookLimits } from '../limits.ts';
import type { DueDelivery } from '../outbox/deliveries.ts';
import { createUnderWay } from './under-way.ts';

const delivery = (webhookId: string, agentId: string): DueDelivery => ({
  deliveryId: 1n,
  webhookId,
  agentId,
  url: 'https://hooks.test/',
  type: 'trust_score.changed',
  secretSalt: '',
  messageId: 'msg',
  position: 1n,
  at: new Date(0),
  trustPolicy: 'v1',
  trustScore: 1,
  previousScore: null,
  causeType: 'ExchangeReviewed',
  causeEventId: 'e',
  transactionId: null,
  attempts: 0,
});
const enterAll = (underWay: ReturnType<typeof createUnderWay>, webhookId: string, count: number): number =>
  Array.from({ length: count }, (_, index) => underWay.enter(delivery(webhookId, `agent-${index}`))).filter(Boolean)
    .length;

describe('messages under way', () => {
  it('are one for each agent and a few for each webhook', () => {
    const underWay = createUnderWay();
    expect([underWay.enter(delivery('a', 'x')), underWay.enter(delivery('a', 'x'))]).toEqual([true, false]);
    expect(underWay.enter(delivery('b', 'x'))).toBe(true);
    underWay.leave(delivery('a', 'x'));
    expect(enterAll(underWay, 'a', 100)).toBe(webhookLimits.messagesAtOncePerWebhookMax);
    expect(underWay.full()).toEqual(['a']);
  });

  it('are one at a time for a failing webhook, until it succeeds', () => {
    const underWay = createUnderWay();
    underWay.enter(delivery('a', 'x'));
    expect(underWay.settle('a', false)).toBe(false);
    underWay.leave(delivery('a', 'x'));
    expect(enterAll(underWay, 'a', 100)).toBe(webhookLimits.messagesAtOnceFailingMax);
    expect(underWay.settle('a', true)).toBe(true);
    expect(underWay.settle('a', true)).toBe(false);
    expect(enterAll(underWay, 'a', 100)).toBe(webhookLimits.messagesAtOncePerWebhookMax - 1);
  });

  it('leave capacity to others, however many webhooks are failing', () => {
    const underWay = createUnderWay();
    const failing = Array.from({ length: 500 }, (_, index) => `failing-${index}`);
    for (const webhookId of failing) {
      underWay.enter(delivery(webhookId, 'x'));
      underWay.settle(webhookId, false);
      underWay.leave(delivery(webhookId, 'x'));
    }
    const entered = failing.filter((webhookId) => underWay.enter(delivery(webhookId, 'x')));
    expect(entered).toHaveLength(webhookLimits.messagesAtOnceOfFailingMax);
    expect(enterAll(underWay, 'well', 100)).toBe(webhookLimits.messagesAtOncePerWebhookMax);
    for (const webhookId of failing) underWay.leave(delivery(webhookId, 'x'));
    expect(underWay.size).toBe(webhookLimits.messagesAtOncePerWebhookMax);
  });

  it('are limited in total', () => {
    const underWay = createUnderWay();
    const entered = Array.from({ length: 1_000 }, (_, index) => underWay.enter(delivery(`hook-${index}`, 'x')));
    expect(entered.filter(Boolean)).toHaveLength(webhookLimits.messagesAtOnceMax);
  });
});

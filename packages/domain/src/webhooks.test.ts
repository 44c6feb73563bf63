import { limits, type WebhookRegistered } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { givenFor } from './testing/index.ts';
import { type RegisterWebhook, webhooksDecider } from './webhooks.ts';

const given = givenFor(webhooksDecider);
const now = '2026-01-01T00:00:00.000Z';
const orgId = 'org-1';
const registration = (webhookId: string): RegisterWebhook => ({
  type: 'RegisterWebhook',
  webhookId,
  orgId,
  url: 'https://hooks.example/trust',
  agentIds: ['a'],
  secretSalt: 'c2FsdA',
  now,
});
const registered = (webhookId: string): WebhookRegistered => {
  const { url, agentIds, secretSalt } = registration(webhookId);
  return { type: 'WebhookRegistered', data: { webhookId, orgId, url, agentIds, secretSalt, registeredAt: now } };
};
const deleted = (webhookId: string) =>
  ({ type: 'WebhookDeleted', data: { webhookId, orgId, deletedAt: now } }) as const;
const asMany = Array.from({ length: limits.webhooksPerOrgMax }, (_, index) => registered(`hook-${index}`));

describe('registering a webhook', () => {
  it('records its address and its agents', () => {
    given([])
      .when(registration('hook-0'))
      .then([registered('hook-0')]);
  });

  it('is refused beyond the limit, and allowed again after a deletion', () => {
    const refusal = given(asMany).when(registration('one-more')).thenRefused('webhook_limit_reached');
    expect(refusal.message).toContain(String(limits.webhooksPerOrgMax));
    given(asMany.slice(1))
      .when(registration('one-more'))
      .then([registered('one-more')]);
    given([...asMany, deleted('hook-3')])
      .when(registration('one-more'))
      .then([registered('one-more')]);
  });
});

describe('deleting a webhook', () => {
  it('ends it once', () => {
    const command = { type: 'DeleteWebhook', orgId, webhookId: 'hook-0', now } as const;
    given([registered('hook-0')])
      .when(command)
      .then([deleted('hook-0')]);
    given([registered('hook-0'), deleted('hook-0')])
      .when(command)
      .thenRefused('webhook_not_found');
    given([]).when(command).thenRefused('webhook_not_found');
  });
});

describe('replaying a webhook', () => {
  const command = { type: 'ReplayWebhook', orgId, webhookId: 'hook-0', fromPosition: '17', now } as const;
  const requested = {
    type: 'WebhookReplayRequested',
    data: { webhookId: 'hook-0', orgId, fromPosition: '17', requestedAt: now },
  } as const;

  it('can be requested repeatedly', () => {
    given([registered('hook-0')])
      .when(command)
      .then([requested]);
    given([registered('hook-0'), requested])
      .when(command)
      .then([requested]);
  });

  it('is refused for anything but a webhook of the organisation', () => {
    given([registered('hook-1')])
      .when(command)
      .thenRefused('webhook_not_found');
    given([registered('hook-0'), deleted('hook-0')])
      .when(command)
      .thenRefused('webhook_not_found');
  });
});

import type { WebhookNoticeType } from '@agent-trust/contracts';
import { column, defineTable, type RowOf } from '@agent-trust/projections';
import type { ProjectedRegistryEvent } from '../registry-event.ts';

/** What is sent to webhooks besides changes of scores. */
export const webhookNotices = defineTable({
  name: 'webhook_notice',
  columns: {
    position: 'bigint',
    at: 'timestamptz',
    type: column<WebhookNoticeType>('text'),
    /** Null for a notice of the organisation `orgId`; an agent's organisation is looked up when the notice is handed over. */
    agentId: 'text?',
    orgId: 'text?',
    /** The domain that was lost. */
    orgDomain: 'text?',
    /** The operator's. */
    reason: 'text?',
    causeType: 'text',
    causeEventId: 'text',
  },
  key: ['position'],
  appendOnly: true,
});
type WebhookNoticeRow = RowOf<typeof webhookNotices>;

/** The notice that an event gives, or null. */
export function noticeOf(event: ProjectedRegistryEvent): WebhookNoticeRow | null {
  const row = (
    type: WebhookNoticeType,
    at: string,
    facts: Partial<Pick<WebhookNoticeRow, 'agentId' | 'orgId' | 'orgDomain' | 'reason'>>,
  ): WebhookNoticeRow => ({
    position: event.position,
    at: new Date(at),
    type,
    agentId: null,
    orgId: null,
    orgDomain: null,
    reason: null,
    ...facts,
    causeType: event.type,
    causeEventId: event.eventId,
  });
  switch (event.type) {
    case 'OrgDomainYielded': {
      const { agentId, domain: orgDomain, yieldedAt } = event.data;
      return row('org_domain.yielded', yieldedAt, { agentId, orgDomain });
    }
    case 'AgentSuspended': {
      const { agentId, reason, suspendedAt } = event.data;
      return row('agent.suspended', suspendedAt, { agentId, reason });
    }
    case 'AgentReinstated': {
      const { agentId, reason, reinstatedAt } = event.data;
      return row('agent.reinstated', reinstatedAt, { agentId, reason });
    }
    case 'AgentRetired':
      return row('agent.retired', event.data.retiredAt, { agentId: event.data.agentId });
    case 'OrganisationDisabled': {
      const { orgId, reason, disabledAt } = event.data;
      return row('organisation.disabled', disabledAt, { orgId, reason });
    }
    case 'OrganisationEnabled': {
      const { orgId, reason, enabledAt } = event.data;
      return row('organisation.enabled', enabledAt, { orgId, reason });
    }
    default:
      return null;
  }
}

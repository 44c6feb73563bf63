import { limits, recordChangedType } from '@agent-trust/contracts';
import sql, { raw, type Sql } from 'sql-template-tag';
import { recordCause } from '../../projector/read-models/trust-history/projection.ts';
import { readModelSchema } from '../../shared/database.ts';

const readModels = raw(readModelSchema);

/**
 * Changes of organisations' records that changed more scores of their agents than are told one by one, for receivers that report all agents of one. The
 * scores of agents that have another organisation by now are told one by one.
 */
const fanOuts = (after: bigint, to: bigint): Sql => sql`
  SELECT c.org_id, c.position, c.at, c.trust_policy, c.record, c.previous_record, c.cause_type, c.cause_event_id, c.transaction_id,
    count(*)::int AS agents
  FROM ${readModels}.trust_history t
    JOIN ${readModels}.agent a ON a.agent_id = t.agent_id AND a.universe = 'production'
    JOIN ${readModels}.organisation_record_change c
      ON c.trust_policy = t.trust_policy AND c.org_id = a.org_id AND c.position = t.position
  WHERE t.position > ${after} AND t.position <= ${to} AND t.cause_type = ${recordCause}
    AND a.org_id IN (SELECT w.org_id FROM receiving w WHERE w.agent_ids IS NULL)
  GROUP BY c.trust_policy, c.org_id, c.position
  HAVING count(*) > ${limits.webhookRecordAgentsMax}::int`;

/** Changes of scores of a page of the log for receivers of this filter. Changes in a sandbox are not sent. */
const changesFor = (after: bigint, to: bigint, filter: Sql): Sql => sql`
  SELECT w.webhook_id, t.agent_id, t.position, t.at, 'trust_score.changed' AS type, t.trust_policy, t.trust_score, t.previous_score,
    NULL::text AS org_domain, NULL::text AS reason, t.cause_type, t.cause_event_id, t.transaction_id,
    NULL::integer AS agents, NULL::double precision AS record, NULL::double precision AS previous_record
  FROM ${readModels}.trust_history t
    JOIN ${readModels}.agent a ON a.agent_id = t.agent_id AND a.universe = 'production'
    JOIN receiving w ON ${filter}
  WHERE t.position > ${after} AND t.position <= ${to} AND t.position > w.starts_after`;

/** Changes of scores of a page for receivers that report all agents of their organisation, but for gathered ones; and these, under the agent id of none. */
const changesOfOrganisations = (after: bigint, to: bigint): Sql => sql`
  ${changesFor(after, to, sql`w.org_id = a.org_id AND w.agent_ids IS NULL`)}
    AND NOT (t.cause_type = ${recordCause} AND EXISTS (SELECT FROM fan_out f WHERE f.org_id = a.org_id AND f.position = t.position))
  UNION ALL
  SELECT w.webhook_id, ''::text, f.position, f.at, ${recordChangedType}::text, f.trust_policy, NULL::integer, NULL::integer,
    NULL::text, NULL::text, f.cause_type, f.cause_event_id, f.transaction_id, f.agents, f.record, f.previous_record
  FROM fan_out f JOIN receiving w ON w.org_id = f.org_id AND w.agent_ids IS NULL
  WHERE f.position > w.starts_after`;

/**
 * Notices of a page of the log, for the receivers of the organisation that they concern: those of an agent for receivers that report the agent,
 * those of the organisation for all of its receivers, under the agent id of none. Agents in a sandbox have none.
 */
const noticesFor = (after: bigint, to: bigint): Sql => sql`
  SELECT w.webhook_id, coalesce(n.agent_id, ''), n.position, n.at, n.type, NULL::text, NULL::integer, NULL::integer,
    n.org_domain, n.reason, n.cause_type, n.cause_event_id, NULL::text, NULL::integer, NULL::double precision, NULL::double precision
  FROM ${readModels}.webhook_notice n
    LEFT JOIN ${readModels}.agent a ON a.agent_id = n.agent_id AND a.universe = 'production'
    JOIN receiving w ON w.org_id = coalesce(a.org_id, n.org_id)
      AND (n.agent_id IS NULL OR w.agent_ids IS NULL OR n.agent_id = ANY (w.agent_ids))
  WHERE n.position > ${after} AND n.position <= ${to} AND n.position > w.starts_after`;

/**
 * What a page of the log has to tell the receivers of the table `receiving` (webhook_id, org_id, agent_ids, starts_after), with the id of each
 * message: made from its receiver, position, agent and event, so that it is the same however often the message is made, and another
 * one for what stands at the same position of another log.
 */
export function messagesFor(after: bigint, to: bigint): Sql {
  return sql`
    SELECT webhook_id, agent_id, position,
      'msg_' || left(encode(sha256(convert_to(webhook_id || ' ' || position || ' ' || agent_id || ' ' || cause_event_id, 'UTF8')), 'hex'), 40) AS message_id,
      at, type, trust_policy, trust_score, previous_score, org_domain, reason, cause_type, cause_event_id, transaction_id,
      agents, record, previous_record
    FROM (
      WITH fan_out AS MATERIALIZED (${fanOuts(after, to)})
      ${changesOfOrganisations(after, to)}
      UNION ALL
      ${changesFor(after, to, sql`t.agent_id = ANY (w.agent_ids)`)}
      UNION ALL
      ${noticesFor(after, to)}
    ) change`;
}

import { DomainError } from '@agent-trust/contracts';
import { orgIdOfName } from '@agent-trust/domain';
import type { CallContext } from '@agent-trust/nats-rpc';
import { findOrganisationName, findRecordChanges } from '../../projector/read-models/trust-evidence/v2/queries.ts';
import { policiesOf } from '../../projector/read-models/trust-policy/queries.ts';
import { queryLimits } from '../../shared/limits.ts';
import { pick } from '../../shared/pick.ts';
import { sha256Hex } from '../../shared/sha256-hex.ts';
import { within } from '../../shared/within.ts';
import { explainRecord, organisationNotFound, recordPolicyAt } from '../explain-record.ts';
import { momentOf, type MomentSources, presentMoment } from '../past/moment.ts';
import type { QueryContext } from '../registry-queries.ts';

/** What the records of organisations are made of, and which events changed them. */
export function organisationRecordMethods(context: QueryContext) {
  const { database, watcher, log, reach } = context;
  const policyNamed = policiesOf(database);
  const sourcesFor = (call: CallContext): MomentSources => ({
    database,
    log,
    current: () => watcher.current(),
    reach: (position) => reach(String(position), call),
    now: Date.now,
  });
  return within(queryLimits.queriesConcurrentMax, {
    explainRecord: async ({ asOf, ...asked }, call) => {
      const sources = sourcesFor(call);
      const moment = await (asOf === null ? presentMoment(sources) : momentOf(asOf, sources));
      if (moment === null) throw organisationNotFound(asked.orgId);
      return explainRecord(database, policyNamed, { ...asked, moment, createdBy: asOf === null ? null : moment.time });
    },
    getRecordHistory: async ({ orgId, limit, offset }, call) => {
      const moment = await presentMoment(sourcesFor(call));
      if (moment === null || (await findOrganisationName(database, orgId, null)) === null) {
        throw organisationNotFound(orgId);
      }
      const { name: trustPolicy } = await recordPolicyAt(database, policyNamed, moment.position);
      const { rows, total } = await findRecordChanges(database, { orgId, trustPolicy, limit, offset });
      const history = rows.map((row) => ({
        at: row.at.toISOString(),
        position: String(row.position),
        ...pick(row, 'record', 'previousRecord', 'standing', 'previousStanding'),
        trustPolicy,
        cause: { type: row.causeType, eventId: row.causeEventId, transactionId: row.transactionId },
      }));
      return { orgId, trustPolicy, history, total };
    },
    findOrganisation: async ({ orgName }) => {
      // An organisation's id comes from its name.
      const orgId = orgIdOfName(orgName, sha256Hex);
      const found = await findOrganisationName(database, orgId, null);
      if (found !== null) return { orgId, orgName: found };
      throw new DomainError('organisation_not_found', `there is no organisation ${JSON.stringify(orgName)}`);
    },
  });
}

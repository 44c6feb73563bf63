import type { DailyLimits, OrganisationLimits } from '@agent-trust/contracts';
import { orgIdOfName } from '@agent-trust/domain';
import sql from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import { sha256Hex } from '../../../shared/sha256-hex.ts';

type Row = {
  orgId: string;
  orgName: string;
  callsPerDay: number | null;
  registrationsPerDay: number | null;
  readsPerDay: number | null;
  reason: string | null;
  setAt: Date | null;
};

/** The limits of an organisation, by its id or else its name. @param defaults of the installation */
export async function findOrganisationLimits(
  database: ReadModelDatabase,
  organisation: string,
  defaults: DailyLimits,
): Promise<OrganisationLimits | null> {
  const [row] = await database.query<Row>(sql`
    SELECT o.org_id, o.org_name, l.calls_per_day, l.registrations_per_day, l.reads_per_day, l.reason, l.set_at
    FROM organisation o LEFT JOIN organisation_limits l USING (org_id)
    WHERE o.org_id = ANY (${[organisation, orgIdOfName(organisation, sha256Hex)]}::text[])
    ORDER BY o.org_id = ${organisation} DESC LIMIT 1`);
  if (row === undefined) return null;
  const { orgId, orgName, reason, setAt, callsPerDay, registrationsPerDay, readsPerDay } = row;
  return {
    orgId,
    orgName,
    callsPerDay: callsPerDay ?? defaults.callsPerDay,
    registrationsPerDay: registrationsPerDay ?? defaults.registrationsPerDay,
    readsPerDay: readsPerDay ?? defaults.readsPerDay,
    own: { callsPerDay, registrationsPerDay, readsPerDay },
    reason,
    setAt: setAt?.toISOString() ?? null,
  };
}

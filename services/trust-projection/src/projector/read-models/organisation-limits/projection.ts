import { defineTable } from '@agent-trust/projections';
import type { RegistryProjection } from '../registry-event.ts';

const organisationLimits = defineTable({
  name: 'organisation_limits',
  columns: {
    orgId: 'text',
    callsPerDay: 'integer?',
    registrationsPerDay: 'integer?',
    readsPerDay: 'integer?',
    reason: 'text',
    setAt: 'timestamptz',
  },
  key: ['orgId'],
});

export const organisationLimitsProjection: RegistryProjection = {
  name: 'organisation-limits',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [organisationLimits],
  reads: () => undefined,
  apply: (event, rows) => {
    if (event.type === 'OrganisationLimitsSet')
      rows.put(organisationLimits, { ...event.data, setAt: new Date(event.data.setAt) });
  },
};

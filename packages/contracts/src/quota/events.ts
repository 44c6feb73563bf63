import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { timestamp } from '../text.ts';

/** Requests in a UTC day: null is the default of the installation, 0 no limit. */
const perDay = z.int().nonnegative().nullable();

/** The operator set the limits of an organisation, all three anew. */
export const organisationLimitsSet = defineEvent(
  'OrganisationLimitsSet',
  {
    orgId: z.string(),
    callsPerDay: perDay,
    registrationsPerDay: perDay,
    readsPerDay: perDay,
    reason: z.string(),
    setAt: timestamp,
  },
  // What gateways hold of the organisation is announced as changed; its keys stay.
  { keysOf: { owner: 'orgId', keyHashes: [] } },
);
export type OrganisationLimitsSet = z.infer<typeof organisationLimitsSet.event>;

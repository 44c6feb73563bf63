import { z } from 'zod';
import { event } from '../event.ts';
import { sha256Hex, timestamp } from '../text.ts';

/** Stream of one organisation. Its id is derived from its normalised name, so the stream itself makes names unique. */
export const organisationStream = (orgId: string): string => `organisation-${orgId}`;

export const organisationCreated = event('OrganisationCreated', 1, {
  orgId: z.string(),
  orgName: z.string(),
  contactEmail: z.string(),
  productionKeyHash: sha256Hex,
  sandboxKeyHash: sha256Hex,
  createdAt: timestamp,
});
export type OrganisationCreated = z.infer<typeof organisationCreated.event>;
export type OrganisationEvent = OrganisationCreated;

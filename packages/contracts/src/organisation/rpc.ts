import { z } from 'zod';
import { actor } from '../actor.ts';
import { unary } from '../rpc/method.ts';
import { positionText, sha256Hex } from '../text.ts';
import { universe } from '../universe.ts';

/** Creates an organisation with a key for each universe. Refusal: org_name_taken. */
export const createOrganisation = unary('registry-write', 'create_organisation', {
  input: z.object({
    orgName: z.string(),
    contactEmail: z.string(),
    productionKeyHash: sha256Hex,
    sandboxKeyHash: sha256Hex,
    actor,
  }),
  output: z.object({ orgId: z.string(), orgName: z.string(), createdAt: z.string(), position: positionText }),
});

export const orgIdentity = z.object({ orgId: z.string(), orgName: z.string(), universe });
export type OrgIdentity = z.infer<typeof orgIdentity>;

/** The organisation and universe behind an org key's SHA-256, or null. */
export const authenticateOrgKey = unary('trust-projection', 'authenticate_org_key', {
  input: z.object({ keyHash: sha256Hex, atLeast: positionText.optional() }),
  output: z.object({ organisation: orgIdentity.nullable() }),
});

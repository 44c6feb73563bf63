import { z } from 'zod';
import { actor } from '../actor.ts';
import { unary } from '../rpc/method.ts';
import { moment, nullableMoment, positionText, sha256Hex } from '../text.ts';
import { domainProofMethod } from './events.ts';

const ofOrganisation = { orgId: z.string(), domain: z.string() };
const written = z.object({ position: positionText });

/** Records that an organisation asked for the token of a domain; nothing if it has this one already. */
export const requestDomainProof = unary('registry-write', 'request_domain_proof', {
  input: z.object({ ...ofOrganisation, tokenHash: sha256Hex, actor }),
  output: written,
});

/** Where a token was found: at the domain or its registrable domain. */
export const foundToken = z.object({ method: domainProofMethod, foundAt: z.string(), tokenHash: sha256Hex });
export type FoundToken = z.infer<typeof foundToken>;

/**
 * Records a proof, and takes the domain from agents of others. `outdated` is the proof of another organisation, by its token's hash, whose
 * token was looked for at the same time and is gone: it gives way. Refusals: domain_not_requested, domain_proved_by_other.
 */
export const proveDomain = unary('registry-write', 'prove_domain', {
  input: z.object({ ...ofOrganisation, found: foundToken, outdated: sha256Hex.nullable(), actor }),
  output: written,
});

/**
 * Records what a later look at a proof has found, null for nothing; and goes on with taking the domain from agents of others.
 * `isChecked` false: only the latter.
 */
export const recordDomainCheck = unary('registry-write', 'record_domain_check', {
  input: z.object({ ...ofOrganisation, isChecked: z.boolean(), method: domainProofMethod.nullable(), actor }),
  output: written,
});

/** The operator vouches for a domain. Refusals: organisation_not_found, domain_proved_by_other. */
export const vouchForDomain = unary('registry-write', 'vouch_for_domain', {
  input: z.object({ orgName: z.string(), domain: z.string(), reason: z.string(), actor }),
  output: written.extend({ orgId: z.string() }),
});

/** The operator ends the proof that a domain has. Refusal: domain_not_proved. */
export const withdrawDomainProof = unary('registry-write', 'withdraw_domain_proof', {
  input: z.object({ domain: z.string(), reason: z.string(), actor }),
  output: written.extend({ endedAt: z.string() }),
});

/** What is known of an organisation and a domain. */
export const orgDomainView = z.object({
  domain: z.string().describe('The domain, in lower case and punycode.'),
  status: z
    .enum(['requested', 'proved', 'lapsed'])
    .describe(
      'requested: not proved, or no longer. proved. lapsed: its token has been missing; the proof ends unless it is found again.',
    ),
  method: z.enum(['https', 'dns', 'operator']).nullable().describe('How it was proved; null if it is not.'),
  requestedAt: nullableMoment('When its token was last asked for'),
  provedAt: nullableMoment('When it was proved'),
  checkedAt: nullableMoment('When its token was last looked for'),
  lapsedAt: nullableMoment('Since when its lapse is shown'),
  endsAt: nullableMoment('When a lapsed proof ends'),
  nextCheckAt: nullableMoment(
    'When its token is looked for next; null if it is not proved, or the operator vouches for it',
  ),
});
export type OrgDomainView = z.infer<typeof orgDomainView>;

/** An organisation's domains, by name. */
export const listOrgDomains = unary('trust-projection', 'list_org_domains', {
  input: z.object({ orgId: z.string(), limit: z.number(), offset: z.number() }),
  output: z.object({ domains: z.array(orgDomainView), total: z.number() }),
});

/** Who has proved a domain, how, and the hashes of the tokens that show it: that of the proof first. None if the operator vouches. */
const provenBy = z.object({
  orgId: z.string(),
  method: domainProofMethod.or(z.literal('operator')),
  isLapsed: z.boolean(),
  tokenHashes: z.array(sha256Hex),
});

/**
 * What a proof of a domain by an organisation depends on: its view, the token that it asked for, and who has proved the domain, null for
 * nobody.
 */
export const getOrgDomain = unary('trust-projection', 'get_org_domain', {
  input: z.object({ ...ofOrganisation, atLeast: positionText.optional() }),
  output: z.object({
    view: orgDomainView.nullable(),
    tokenHash: sha256Hex.nullable(),
    provedBy: provenBy.nullable(),
  }),
});

/**
 * Proofs whose token has to be looked for now, and those whose domain some agent of another has still to give up (`isDue` false), oldest
 * first.
 */
export const listDueDomainProofs = unary('trust-projection', 'list_due_domain_proofs', {
  input: z.object({ now: moment('The time of the check'), limit: z.number() }),
  output: z.object({ proofs: z.array(provenBy.extend({ domain: z.string(), isDue: z.boolean() })) }),
});

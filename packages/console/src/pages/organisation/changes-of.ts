import type { OwnerTrustObject } from '@agent-trust/client';

/** A field of the configuration that a promotion changes. */
export type Change = { what: string; before: string; after: string };

/** A field of the configuration that a clone begins with. */
export type Copied = { what: string; value: string };

type Configured = Pick<
  OwnerTrustObject,
  | 'org_domain'
  | 'specialty'
  | 'capabilities'
  | 'routing'
  | 'message_protocol'
  | 'a2a_compliant'
  | 'accepted_content_types'
  | 'payload_schema'
  | 'signup_help'
  | 'auth_header_name'
>;

const fields: readonly (readonly [what: string, of: (agent: Configured) => unknown])[] = [
  ['Specialty', ({ specialty }) => specialty],
  ['Capabilities', ({ capabilities }) => capabilities.map(({ name, weight }) => `${name} (${weight})`)],
  ['Endpoint', ({ routing }) => routing.endpoint_url],
  ['Message protocol', ({ message_protocol: protocol }) => protocol],
  ['A2A compliant', ({ a2a_compliant: compliant }) => compliant],
  ['Content types', ({ accepted_content_types: types }) => types],
  ['Payload schema', ({ payload_schema: schema }) => schema],
  ['Protocol', ({ routing }) => routing.protocol],
  ['Terms', ({ routing }) => routing.accepted_terms_format],
  ['Settlement rails', ({ routing }) => routing.settlement_rail],
  ['HTTP methods', ({ routing }) => routing.http_methods],
  ['Prices', ({ routing }) => routing.price_schedule],
  ['Payment network', ({ routing }) => routing.payment_network],
  ['Payee', ({ routing }) => routing.payment_pay_to],
  ['Payment asset', ({ routing }) => routing.payment_asset],
  ['Signing up', ({ signup_help: help }) => help],
  ['Auth header', ({ auth_header_name: header }) => header],
];

const unset = '–';

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return unset;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/**
 * What a promotion of the draft changes of its live agent, as far as owners are shown it. A domain is copied only from a draft that has one;
 * contacts, keys and everything earned are never copied.
 */
export function changesOf(live: Configured, draft: Configured): Change[] {
  const all =
    draft.org_domain === null
      ? fields
      : [...fields, ['Domain', ({ org_domain: domain }: Configured) => domain] as const];
  return all
    .map(([what, of]) => ({ what, before: textOf(of(live)), after: textOf(of(draft)) }))
    .filter(({ before, after }) => before !== after);
}

/** What a clone of the live agent begins with: every field that is set, but no domain, contact or key, nor anything earned. */
export function copiedOf(live: Configured): Copied[] {
  return fields.map(([what, of]) => ({ what, value: textOf(of(live)) })).filter(({ value }) => value !== unset);
}

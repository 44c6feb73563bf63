import type { Transport } from '../http/transport.ts';
import type { RequestOptions } from '../options.ts';
import type {
  AgentEvent,
  AgentReinstated,
  AliasConfirmation,
  CapabilityAlias,
  AgentSuspended,
  DomainProofWithdrawn,
  DomainVoucher,
  LoggedEvent,
  OperatorKey,
  OperatorKeyCreated,
  OperatorKeyRequest,
  OperatorKeyRevoked,
  OperatorWhoami,
  OrganisationDisabled,
  OrganisationEnabled,
  OrganisationKeysReissued,
  OrgAgentsQuery,
  OrgCreateRequest,
  OrgCreateResponse,
  OrgDomain,
  OrgDomainsQuery,
  OrgKey,
  OrgNamedKey,
  OrgNamedKeyCreated,
  OrgNamedKeyReplaced,
  OrgNamedKeyReplacement,
  OrgNamedKeyRequest,
  OrgNamedKeyRevoked,
  OrgPayment,
  OrgPaymentsQuery,
  OrgPaymentTotal,
  OrgSandboxKey,
  OrgSandboxKeyRevoked,
  OrgWhoami,
  OwnerAgentProfile,
  OwnerTrustObject,
  PersonalDataErased,
  RequestedDomain,
  ReviewsVoided,
  Settlement,
  SettlementsQuery,
  VoidReviewsRequest,
  SignInCode,
  SignInCodeRequest,
} from '../types.ts';
import { ask, get, pathOf, post, repeatable } from './ask.ts';
import {
  type EventReader,
  type EventsPage,
  eventReader,
  type EventsQuery,
  type ExportOptions,
  type ExportQuery,
  type FollowOptions,
  type FollowQuery,
} from './events.ts';
import { listing, type PageOf } from './page.ts';
import { limitOperations, usageOperations } from './quotas.ts';

const own = ['organisation'] as const;
const operator = ['admin'] as const;

/** Filters for the whole log: `org` is a name or an id, `operator` whose events, `break_glass` those by a secret of the installation. */
export type LogQuery = EventsQuery & { agent_id?: string; org?: string; operator?: string; break_glass?: 'true' };

export type OrgAgentsPage = PageOf<'agents', OrgAgentsQuery, OwnerTrustObject>;
export type OrgPaymentsPage = PageOf<'payments', OrgPaymentsQuery, OrgPayment>;
export type OrgDomainsPage = PageOf<'domains', OrgDomainsQuery, OrgDomain>;
export type SettlementsPage = PageOf<'settlements', SettlementsQuery, Settlement>;

export function organisationOperations(transport: Transport) {
  const agents = listing<'agents', OrgAgentsQuery, OwnerTrustObject>(transport, 'agents', {
    path: '/org/agents',
    credentials: own,
  });
  const payments = listing<'payments', OrgPaymentsQuery, OrgPayment>(transport, 'payments', {
    path: '/org/payments',
    credentials: own,
  });
  const domains = listing<'domains', OrgDomainsQuery, OrgDomain>(transport, 'domains', {
    path: '/org/domains',
    credentials: own,
  });
  const eventsOf = (agentId: string): EventReader<AgentEvent, EventsQuery> =>
    eventReader(transport, { ...pathOf('/org/agents/{agent_id}/events', agentId), credentials: own });
  return {
    /** Creates an organisation with its two keys, which are shown once; requires the operator's `adminKey`, or without it an `adminToken` of the role admin. */
    createKey: (body: OrgCreateRequest, options?: RequestOptions): Promise<OrgCreateResponse> =>
      post(transport, { path: '/org/create-key', json: body, credentials: ['admin_key', 'admin'] }, options),

    /** Which organisation and universe the client's key belongs to. */
    whoami: (options?: RequestOptions): Promise<OrgWhoami> =>
      get(transport, { path: '/org/whoami', credentials: own }, options),

    /** The organisation's own agents in the key's universe, with their endpoints; all of them, unless `limit` sets a page size. */
    agents: agents.page,

    /** The same, a page at a time. */
    eachAgent: (
      query: OrgAgentsQuery = {},
      options?: RequestOptions,
    ): AsyncGenerator<OwnerTrustObject, void, undefined> => agents.each({ limit: 200, ...query }, options),

    /** An own agent's profile, with its endpoint. */
    agent: async (agentId: string, options?: RequestOptions): Promise<OwnerAgentProfile> =>
      get(transport, { ...pathOf('/org/agents/{agent_id}', agentId), credentials: own }, options),

    /** A page of the events of an agent of the organisation. */
    agentEvents: (
      agentId: string,
      query?: EventsQuery,
      options?: RequestOptions,
    ): Promise<EventsPage<AgentEvent, EventsQuery>> => eventsOf(agentId).page(query, options),

    /** The same, page by page. */
    eachAgentEvent: (
      agentId: string,
      query?: EventsQuery,
      options?: RequestOptions,
    ): AsyncGenerator<AgentEvent, void, undefined> => eventsOf(agentId).each(query, options),

    /** The same as one export, up to now; throws a BrokenStreamError if it is incomplete. */
    exportAgentEvents: (
      agentId: string,
      query?: ExportQuery<EventsQuery>,
      options?: ExportOptions,
    ): AsyncGenerator<AgentEvent, void, undefined> => eventsOf(agentId).export(query, options),

    /** New events of an agent, from now on or after the position `after`: without end, across broken connections, none twice. */
    followAgentEvents: (
      agentId: string,
      query?: FollowQuery<EventsQuery>,
      options?: FollowOptions,
    ): AsyncGenerator<AgentEvent, void, undefined> => eventsOf(agentId).follow(query, options),

    /** Settlements that the organisation's agents received through the registry, newest first. */
    payments: payments.page,

    /** What they received in all, by network and asset, most payments first. */
    paymentTotals: (options?: RequestOptions): Promise<OrgPaymentTotal[]> =>
      get(transport, { path: '/org/payments/totals', credentials: own }, options),

    ...usageOperations(transport),

    /** The same, a page at a time. */
    eachPayment: payments.each,

    /** What to publish to prove a domain, with the production key. */
    requestDomain: (domain: string, options?: RequestOptions): Promise<RequestedDomain> =>
      repeatable(transport, { path: '/org/domains', json: { domain }, credentials: own }, options),

    /** Has the token of a domain looked for now, with the production key; proved if it is found. */
    verifyDomain: (domain: string, options?: RequestOptions): Promise<OrgDomain> =>
      repeatable(transport, { ...pathOf('/org/domains/{domain}/verify', domain), credentials: own }, options),

    /** The organisation's domains, and how far they are proved. */
    domains: domains.page,

    /** The same, a page at a time. */
    eachDomain: domains.each,

    /** Issues a sandbox key, with the production key. The sandbox key is shown once. */
    issueSandboxKey: (options?: RequestOptions): Promise<OrgSandboxKey> =>
      post(transport, { path: '/org/sandbox-key', credentials: own }, options),

    /** Revokes the sandbox key, with the production key. */
    revokeSandboxKey: (options?: RequestOptions): Promise<OrgSandboxKeyRevoked> =>
      ask(transport, { method: 'DELETE', path: '/org/sandbox-key', credentials: own, repeat: 'never' }, options),

    /**
     * Replaces the production key that signs in this request; the old one fails from now on. If the body of a RegistryError contains `api_key`, the
     * new key may be valid: keep both until one of them works.
     */
    rotateKey: (options?: RequestOptions): Promise<OrgKey> =>
      post(transport, { path: '/org/rotate-key', credentials: own }, options),

    /** Creates a named key with scopes, in the universe of the organisation's own key of the client; it is shown once. Never sent twice. */
    createNamedKey: (body: OrgNamedKeyRequest, options?: RequestOptions): Promise<OrgNamedKeyCreated> =>
      post(transport, { path: '/org/keys', json: body, credentials: own }, options),

    /** The named keys of that universe, without their secrets. */
    namedKeys: (options?: RequestOptions): Promise<OrgNamedKey[]> =>
      get(transport, { path: '/org/keys', credentials: own }, options),

    /**
     * Gives a named key, by its id or name, another secret; the former one works until the overlap ends. Never sent twice. If the body of a
     * RegistryError contains `api_key`, the new secret may be valid: keep both until one of them works.
     */
    replaceNamedKey: (
      key: string,
      body: Partial<OrgNamedKeyReplacement> = {},
      options?: RequestOptions,
    ): Promise<OrgNamedKeyReplaced> =>
      post(transport, { ...pathOf('/org/keys/{key_id}/replace', key), json: body, credentials: own }, options),

    /** Revokes a named key, by its id or name. Retried after failures: the first revocation stands. */
    revokeNamedKey: async (key: string, options?: RequestOptions): Promise<OrgNamedKeyRevoked> =>
      ask(
        transport,
        { ...pathOf('/org/keys/{key_id}', key), method: 'DELETE', credentials: own, repeat: 'always' },
        options,
      ),
  };
}

export function operatorOperations(transport: Transport) {
  const events = eventReader<LoggedEvent, LogQuery>(transport, { path: '/ops/events', credentials: operator });
  const settlements = listing<'settlements', SettlementsQuery, Settlement>(transport, 'settlements', {
    path: '/ops/settlements',
    credentials: operator,
  });
  /** May be repeated: it changes nothing a second time. */
  const change = <Answer>(path: string, id: string, json: object, options?: RequestOptions): Promise<Answer> =>
    repeatable(transport, { ...pathOf(path, id), json, credentials: operator }, options);
  return {
    /**
     * Erases an agent's contact_email and contact_info for good; requires the operator's `adminToken`. Retried after failures: a second attempt finds
     * nothing more to erase.
     */
    erasePersonalData: (agentId: string, options?: RequestOptions): Promise<PersonalDataErased> =>
      repeatable(transport, { ...pathOf('/ops/agents/{agent_id}/erase', agentId), credentials: operator }, options),

    /**
     * Suspends an agent: nobody reaches it or acts as it, and it is shown with a score of 0. Requires the operator's `adminToken`. Retried after
     * failures: the first suspension stands.
     */
    suspendAgent: (agentId: string, reason: string, options?: RequestOptions): Promise<AgentSuspended> =>
      change('/ops/agents/{agent_id}/suspend', agentId, { reason }, options),

    /** Ends an agent's suspension; requires the operator's `adminToken`. */
    reinstateAgent: (agentId: string, reason: string, options?: RequestOptions): Promise<AgentReinstated> =>
      change('/ops/agents/{agent_id}/reinstate', agentId, { reason }, options),

    /**
     * Voids reviews for good, at most 1,000 at a time, or shows with `dry_run` which; requires the operator's `adminToken`. Retried after
     * failures: what is void already is not selected again.
     */
    voidReviews: (body: VoidReviewsRequest, options?: RequestOptions): Promise<ReviewsVoided> =>
      repeatable(transport, { path: '/ops/reviews/void', json: body, credentials: operator }, options),

    /** Vouches for an organisation's domain, which then counts as proved. */
    vouchForDomain: (domain: string, body: DomainVoucher, options?: RequestOptions): Promise<OrgDomain> =>
      change('/ops/domains/{domain}/vouch', domain, body, options),

    /** Makes a name an alias of a capability in production; requires the operator's `adminToken`. */
    confirmCapabilityAlias: (
      alias: string,
      body: AliasConfirmation,
      options?: RequestOptions,
    ): Promise<CapabilityAlias> => change('/ops/capability-aliases/{alias}/confirm', alias, body, options),

    /** Undoes an alias in production, which is not learned again; requires the operator's `adminToken`. */
    undoCapabilityAlias: (alias: string, reason: string, options?: RequestOptions): Promise<CapabilityAlias> =>
      change('/ops/capability-aliases/{alias}/undo', alias, { reason }, options),

    /** Ends the proof that a domain has. */
    withdrawDomainProof: (domain: string, reason: string, options?: RequestOptions): Promise<DomainProofWithdrawn> =>
      post(
        transport,
        { ...pathOf('/ops/domains/{domain}/withdraw', domain), json: { reason }, credentials: operator },
        options,
      ),

    /**
     * Disables an organisation, by its id or name: its keys fail, and its agents count as suspended. Requires the operator's `adminToken`. Retried
     * after failures: what it was disabled for first stands.
     */
    disableOrganisation: (
      organisation: string,
      reason: string,
      options?: RequestOptions,
    ): Promise<OrganisationDisabled> =>
      change('/ops/organisations/{org_id}/disable', organisation, { reason }, options),

    ...limitOperations(transport),

    /** Enables a disabled organisation; requires the operator's `adminToken`. */
    enableOrganisation: (
      organisation: string,
      reason: string,
      options?: RequestOptions,
    ): Promise<OrganisationEnabled> => change('/ops/organisations/{org_id}/enable', organisation, { reason }, options),

    /**
     * Replaces both keys of an organisation, which are shown once; requires the operator's `adminToken`. Never sent twice. If the body of a
     * RegistryError contains `api_key`, the new keys may be valid: try them, or ask again.
     */
    reissueOrganisationKeys: (
      organisation: string,
      reason: string,
      options?: RequestOptions,
    ): Promise<OrganisationKeysReissued> =>
      post(
        transport,
        {
          ...pathOf('/ops/organisations/{org_id}/reissue-keys', organisation),
          json: { reason },
          credentials: operator,
        },
        options,
      ),

    /** Which operator the `adminToken` is of, and its role. */
    whoami: (options?: RequestOptions): Promise<OperatorWhoami> =>
      get(transport, { path: '/ops/whoami', credentials: operator }, options),

    /** Creates a key for an operator, which is shown once; requires the role admin. Never sent twice. */
    createKey: (body: OperatorKeyRequest, options?: RequestOptions): Promise<OperatorKeyCreated> =>
      post(transport, { path: '/ops/keys', json: body, credentials: operator }, options),

    /** The operators' keys, without their secrets. */
    keys: (options?: RequestOptions): Promise<OperatorKey[]> =>
      get(transport, { path: '/ops/keys', credentials: operator }, options),

    /** Revokes the key of an operator, by its id or name; requires the role admin. Retried after failures: the first revocation stands. */
    revokeKey: (key: string, reason: string, options?: RequestOptions): Promise<OperatorKeyRevoked> =>
      change('/ops/keys/{key}/revoke', key, { reason }, options),

    /** Creates a single-use code that signs a browser in, which is shown once; requires the role operator. Never sent twice. */
    createSignInCode: (body: Partial<SignInCodeRequest> = {}, options?: RequestOptions): Promise<SignInCode> =>
      post(transport, { path: '/ops/sign-in-codes', json: body, credentials: operator }, options),

    /** Redeems a sign-in code for an operator's key, without a credential. Never sent twice: a code works once. */
    signIn: (code: string, options?: RequestOptions): Promise<OperatorKeyCreated> =>
      post(transport, { path: '/ops/sign-in', json: { code }, credentials: [] }, options),

    /** A page of the events of the whole log; requires the operator's `adminToken`. */
    events: events.page,

    /** The same, page by page. */
    eachEvent: events.each,

    /** The same as one export, up to now; throws a BrokenStreamError if it is incomplete. */
    exportEvents: events.export,

    /** New events, from now on or after the position `after`: without end, across broken connections, none twice. */
    followEvents: events.follow,

    /** All settlements made through the registry, newest first; requires the operator's `adminToken`. */
    settlements: settlements.page,

    /** The same, a page at a time. */
    eachSettlement: settlements.each,
  };
}

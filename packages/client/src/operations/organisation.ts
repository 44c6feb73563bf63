import { pathSegment } from '../http/base-url.ts';
import type { Transport } from '../http/transport.ts';
import type { RequestOptions } from '../options.ts';
import { everyItem, type NextPage } from '../pages.ts';
import type {
  AgentEvent,
  LoggedEvent,
  OrgAgentsQuery,
  OrgCreateRequest,
  OrgCreateResponse,
  OrgKey,
  OrgPayment,
  OrgPaymentsQuery,
  OrgSandboxKey,
  OrgSandboxKeyRevoked,
  OrgWhoami,
  OwnerAgentProfile,
  OwnerTrustObject,
  PersonalDataErased,
  Settlement,
  SettlementsQuery,
} from '../types.ts';
import { ask } from './ask.ts';
import {
  eachEvent,
  type EventsPage,
  eventsPage,
  type EventsQuery,
  exportEvents,
  type ExportQuery,
  followEvents,
  type FollowQuery,
} from './events.ts';
import { askPage } from './page.ts';

const own = ['organisation'] as const;
const agentsPath = { path: '/org/agents', credentials: own };
const paymentsPath = { path: '/org/payments', credentials: own };
const settlementsPath = { path: '/ops/settlements', credentials: ['admin'] as const };

const logListing = { path: '/ops/events', credentials: ['admin'] as const };
const agentEventsOf = (agentId: string) => ({
  path: `/org/agents/${pathSegment(agentId)}/events`,
  name: '/org/agents/{agent_id}/events',
  credentials: own,
});

/** What the whole log can be asked for: `org` is a name or an id. */
export type LogQuery = EventsQuery & { agent_id?: string; org?: string };

export type OrgAgentsPage = { agents: OwnerTrustObject[]; total: number | null; next: NextPage<OrgAgentsQuery> };
export type OrgPaymentsPage = { payments: OrgPayment[]; total: number | null; next: NextPage<OrgPaymentsQuery> };
export type SettlementsPage = { settlements: Settlement[]; total: number | null; next: NextPage<SettlementsQuery> };

export function organisationOperations(transport: Transport) {
  return {
    /** Creates an organisation with its two keys, which are shown once; by the operator's `adminKey`. */
    createKey: (body: OrgCreateRequest, options: RequestOptions = {}): Promise<OrgCreateResponse> =>
      ask(
        transport,
        { method: 'POST', path: '/org/create-key', json: body, credentials: ['admin_key'], repeat: 'never' },
        options,
      ),

    /** Which organisation and universe the client's key belongs to. */
    whoami: (options: RequestOptions = {}): Promise<OrgWhoami> =>
      ask(transport, { method: 'GET', path: '/org/whoami', credentials: own, repeat: 'always' }, options),

    /** The organisation's own agents in the key's universe, with their endpoints; all of them, unless `limit` asks for a page. */
    agents: async (query: OrgAgentsQuery = {}, options: RequestOptions = {}): Promise<OrgAgentsPage> => {
      const page = await askPage<OrgAgentsQuery, OwnerTrustObject>(transport, agentsPath, query, options);
      return { agents: page.items, total: page.total, next: page.next };
    },

    /** The same, a page at a time. */
    eachAgent: (
      query: OrgAgentsQuery = {},
      options: RequestOptions = {},
    ): AsyncGenerator<OwnerTrustObject, void, undefined> =>
      everyItem<OrgAgentsQuery, OwnerTrustObject>({ limit: 200, ...query }, (wanted) =>
        askPage<OrgAgentsQuery, OwnerTrustObject>(transport, agentsPath, wanted, options),
      ),

    /** The owner's profile of an agent, with its endpoint. */
    agent: async (agentId: string, options: RequestOptions = {}): Promise<OwnerAgentProfile> =>
      ask(
        transport,
        {
          method: 'GET',
          path: `/org/agents/${pathSegment(agentId)}`,
          name: '/org/agents/{agent_id}',
          credentials: own,
          repeat: 'always',
        },
        options,
      ),

    /** What happened to an agent of the organisation: a page of it. */
    agentEvents: (
      agentId: string,
      query: EventsQuery = {},
      options: RequestOptions = {},
    ): Promise<EventsPage<AgentEvent, EventsQuery>> => eventsPage(transport, agentEventsOf(agentId), query, options),

    /** The same, page after page. */
    eachAgentEvent: (
      agentId: string,
      query: EventsQuery = {},
      options: RequestOptions = {},
    ): AsyncGenerator<AgentEvent, void, undefined> => eachEvent(transport, agentEventsOf(agentId), query, options),

    /** The same as one export, up to now; throws a BrokenStreamError where it is not whole. */
    exportAgentEvents: (
      agentId: string,
      query: ExportQuery<EventsQuery> = {},
      options: RequestOptions = {},
    ): AsyncGenerator<AgentEvent, void, undefined> => exportEvents(transport, agentEventsOf(agentId), query, options),

    /** What happens to an agent from now on, or from behind the position `after`: for ever, over broken connections, none twice. */
    followAgentEvents: (
      agentId: string,
      query: FollowQuery<EventsQuery> = {},
      options: RequestOptions = {},
    ): AsyncGenerator<AgentEvent, void, undefined> => followEvents(transport, agentEventsOf(agentId), query, options),

    /** Settlements that the organisation's agents received through the registry, newest first. */
    payments: async (query: OrgPaymentsQuery = {}, options: RequestOptions = {}): Promise<OrgPaymentsPage> => {
      const page = await askPage<OrgPaymentsQuery, OrgPayment>(transport, paymentsPath, query, options);
      return { payments: page.items, total: page.total, next: page.next };
    },

    /** The same, a page at a time. */
    eachPayment: (
      query: OrgPaymentsQuery = {},
      options: RequestOptions = {},
    ): AsyncGenerator<OrgPayment, void, undefined> =>
      everyItem(query, (wanted) => askPage<OrgPaymentsQuery, OrgPayment>(transport, paymentsPath, wanted, options)),

    /** Issues a sandbox key, by the production key. It is shown once. */
    issueSandboxKey: (options: RequestOptions = {}): Promise<OrgSandboxKey> =>
      ask(transport, { method: 'POST', path: '/org/sandbox-key', credentials: own, repeat: 'never' }, options),

    /** Revokes the sandbox key, by the production key. */
    revokeSandboxKey: (options: RequestOptions = {}): Promise<OrgSandboxKeyRevoked> =>
      ask(transport, { method: 'DELETE', path: '/org/sandbox-key', credentials: own, repeat: 'never' }, options),

    /**
     * Replaces the production key that the request is made with; the former fails from this moment. After a RegistryError with `api_key`
     * in its body the new key stands, or may: keep both until one of them works.
     */
    rotateKey: (options: RequestOptions = {}): Promise<OrgKey> =>
      ask(transport, { method: 'POST', path: '/org/rotate-key', credentials: own, repeat: 'never' }, options),
  };
}

export function operatorOperations(transport: Transport) {
  return {
    /**
     * Erases an agent's contact_email and contact_info for good; by the operator's `adminToken`. It is repeated where that may help: a second
     * time finds nothing more to erase.
     */
    erasePersonalData: (agentId: string, options: RequestOptions = {}): Promise<PersonalDataErased> =>
      ask(
        transport,
        {
          method: 'POST',
          path: `/ops/agents/${pathSegment(agentId)}/erase`,
          name: '/ops/agents/{agent_id}/erase',
          credentials: ['admin'],
          repeat: 'always',
        },
        options,
      ),

    /** Events of the whole log, by the operator's `adminToken`: a page of them. */
    events: (query: LogQuery = {}, options: RequestOptions = {}): Promise<EventsPage<LoggedEvent, LogQuery>> =>
      eventsPage(transport, logListing, query, options),

    /** The same, page after page. */
    eachEvent: (query: LogQuery = {}, options: RequestOptions = {}): AsyncGenerator<LoggedEvent, void, undefined> =>
      eachEvent(transport, logListing, query, options),

    /** The same as one export, up to now; throws a BrokenStreamError where it is not whole. */
    exportEvents: (
      query: ExportQuery<LogQuery> = {},
      options: RequestOptions = {},
    ): AsyncGenerator<LoggedEvent, void, undefined> => exportEvents(transport, logListing, query, options),

    /** What happens from now on, or from behind the position `after`: for ever, over broken connections, none twice. */
    followEvents: (
      query: FollowQuery<LogQuery> = {},
      options: RequestOptions = {},
    ): AsyncGenerator<LoggedEvent, void, undefined> => followEvents(transport, logListing, query, options),

    /** All settlements made through the registry, newest first; by the operator's `adminToken`. */
    settlements: async (query: SettlementsQuery = {}, options: RequestOptions = {}): Promise<SettlementsPage> => {
      const page = await askPage<SettlementsQuery, Settlement>(transport, settlementsPath, query, options);
      return { settlements: page.items, total: page.total, next: page.next };
    },

    /** The same, a page at a time. */
    eachSettlement: (
      query: SettlementsQuery = {},
      options: RequestOptions = {},
    ): AsyncGenerator<Settlement, void, undefined> =>
      everyItem(query, (wanted) => askPage<SettlementsQuery, Settlement>(transport, settlementsPath, wanted, options)),
  };
}

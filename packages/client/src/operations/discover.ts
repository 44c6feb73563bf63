import { readJson } from '../http/read-json.ts';
import { refusalOf } from '../http/refusal.ts';
import type { Transport } from '../http/transport.ts';
import type { RequestOptions } from '../options.ts';
import { everyItem, type NextPage } from '../pages.ts';
import type {
  Activity,
  ActivityQuery,
  AgentCard,
  AgentProfile,
  CapabilitiesQuery,
  CapabilityTree,
  Health,
  ImportRequest,
  ImportResponse,
  KnownCapability,
  MatchRequest,
  MatchResult,
  RegistryQuery,
  TrustObject,
  UnregisteredAgent,
  VerifiedTrustObject,
  VerifyBatchRequest,
  VerifyRequest,
} from '../types.ts';
import { get, pathOf, repeatable } from './ask.ts';
import { getWithPage, listing, type PageOf } from './page.ts';

export type RegistryPage = PageOf<'agents', RegistryQuery, TrustObject>;

export type CapabilitiesPage = CapabilityTree & {
  /** Number of capabilities in all pages. */
  total: number | null;
  /** The query of the next page; null after the last one. */
  next: NextPage<CapabilitiesQuery>;
};

/** A moment: an RFC 3339 time with an offset, or a position of the log. */
export type AsOf = { as_of?: string | undefined };

const asOfOf = ({ as_of }: AsOf): AsOf => (as_of === undefined ? {} : { as_of });

/** Reading needs no credential; an organisation's sandbox key reads its sandbox instead of production. */
const scope = ['organisation'] as const;

export function discoverOperations(transport: Transport) {
  const agents = listing<'agents', RegistryQuery, TrustObject>(transport, 'agents', {
    path: '/registry',
    credentials: scope,
  });
  const capabilities = async (
    query: CapabilitiesQuery = {},
    options: RequestOptions = {},
  ): Promise<CapabilitiesPage> => {
    const operation = { path: '/capabilities', credentials: scope } as const;
    const { body, ...page } = await getWithPage<CapabilityTree, CapabilitiesQuery>(
      transport,
      operation,
      query,
      options,
    );
    return { ...body, ...page };
  };
  return {
    /** State of the service. An answer whose `status` is `down` is no error. */
    health: (options: RequestOptions = {}): Promise<Health> =>
      transport.send(
        {
          method: 'GET',
          path: '/health',
          credentials: [],
          repeat: 'never',
          // 503 has the same body, unless it is a refusal.
          isAnswer: ({ status }) => status === 200 || status === 503,
        },
        options,
        async (response, deadline, info) => {
          const body = await readJson<Health>(transport.answerBytesMax)(response, deadline, info);
          if (info.status === 503 && (body as Partial<Health> | null)?.database === undefined)
            throw refusalOf(info.operation, response, JSON.stringify(body));
          return body;
        },
      ),

    /**
     * How far an agent can be trusted, or could be at `as_of`. An unknown agent is a RegistryError `agent_not_found`, whose body is the verdict
     * `block`.
     */
    verify: (body: VerifyRequest, options: RequestOptions & AsOf = {}): Promise<TrustObject> =>
      repeatable(transport, { path: '/verify', json: body, query: asOfOf(options), credentials: scope }, options),

    /** How far each of up to 100 agents can be trusted, in order. An unknown agent has the verdict `block` and the flag `unregistered`. */
    verifyBatch: (
      body: VerifyBatchRequest,
      options: RequestOptions = {},
    ): Promise<(TrustObject | UnregisteredAgent)[]> =>
      repeatable(transport, { path: '/verify/batch', json: body, credentials: scope }, options),

    /** The same with a `signed_verdict`, which others can verify with the log's key. */
    verifySigned: (
      body: VerifyRequest,
      options: RequestOptions = {},
    ): Promise<VerifiedTrustObject & { signed_verdict: string }> =>
      repeatable(transport, { path: '/verify', json: body, query: { signed: 'true' }, credentials: scope }, options),

    /** Agents that meet every filter, best first. */
    match: (body: MatchRequest, options: RequestOptions = {}): Promise<MatchResult[]> =>
      repeatable(transport, { path: '/match', json: body, credentials: scope }, options),

    /** One page of all routable agents, or of those whose id begins with `agent_id_prefix`, most trusted first. */
    listRegistry: agents.page,

    /** All routable agents, most trusted first, a page at a time. */
    eachAgent: agents.each,

    /** The categories, and one page of the known capabilities with their aliases and the number of agents that have each. */
    capabilities,

    /** All known capabilities, a page at a time. */
    eachCapability: (
      query: CapabilitiesQuery = {},
      options: RequestOptions = {},
    ): AsyncGenerator<KnownCapability, void, undefined> =>
      everyItem(query, async (wanted) => {
        const { capabilities: items, next } = await capabilities(wanted, options);
        return { items, next };
      }),

    /** What happened lately in production: newest agents, biggest movers, registrations, calls and reviews by day. */
    activity: (query: ActivityQuery = {}, options: RequestOptions = {}): Promise<Activity> =>
      get(transport, { path: '/activity', query, credentials: scope }, options),

    /** Profile of an agent, with its received ratings; with `as_of` as it was then. */
    getAgent: async (agentId: string, options: RequestOptions & AsOf = {}): Promise<AgentProfile> =>
      get(transport, { ...pathOf('/agent/{agent_id}', agentId), query: asOfOf(options), credentials: scope }, options),

    /** Previews a registration from a domain's agent card, as far as the card allows. Nothing is stored. */
    importAgent: (body: ImportRequest, options: RequestOptions = {}): Promise<ImportResponse> =>
      repeatable(transport, { path: '/import-agent', json: body, credentials: [] }, options),

    /** The registry's own agent card, as clients of A2A read it. */
    agentCard: (options: RequestOptions = {}): Promise<AgentCard> =>
      get(transport, { path: '/.well-known/agent-card.json', credentials: [] }, options),

    /** The registry's own description, as OpenAPI 3.1. */
    openapi: (options: RequestOptions = {}): Promise<Record<string, unknown>> =>
      get(transport, { path: '/openapi.json', credentials: [] }, options),
  };
}

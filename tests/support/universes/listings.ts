import { type Answer, ask, type Body, type HeaderMap } from '../ask.ts';
import { pagesOf as allPages } from '../registry-pages.ts';
import { ownedBy, seenBy, type Viewer } from './viewers.ts';
import type { Resident, World } from './world.ts';

/** A request that lists agents or their results, and the agents that it may show. */
export type Listing = {
  name: string;
  operationId: string;
  ask: (viewer: Viewer, world: World) => Promise<Answer[]>;
  mayShow: (viewer: Viewer, world: World) => Resident[];
  /** Agents whose id may appear besides, without any other field. */
  mayName?: (viewer: Viewer, world: World) => Resident[];
  /** The agents of `mayShow` that it must show, if that is known. */
  mustShow?: (viewer: Viewer, world: World) => Resident[];
};

const get = (path: string, headers: HeaderMap): Promise<Answer> =>
  ask('GET', path, { headers, owner: path.startsWith('/org/') });
const match = (filters: Body, headers: HeaderMap): Promise<Answer> =>
  ask('POST', '/match', { headers, body: { limit: 200, ...filters } });

const pagesOf = (path: string, headers: HeaderMap, limit: number): Promise<Answer[]> =>
  allPages((page) => get(page, headers), path, limit);

const all = ({ residents }: World): Resident[] => Object.values(residents);
const routable = (residents: Resident[]): Resident[] => residents.filter(({ name }) => !name.startsWith('unreachable'));
const nobody = (): Resident[] => [];
const routableSeen = (viewer: Viewer, world: World): Resident[] => routable(seenBy(world, viewer));

const byEach = (filterOf: (resident: Resident) => Body): Listing['ask'] => {
  return ({ headers }, world) => Promise.all(all(world).map((resident) => match(filterOf(resident), headers)));
};

export const listings: readonly Listing[] = [
  {
    name: 'GET /registry',
    operationId: 'listRegistry',
    ask: ({ headers }) => pagesOf('/registry', headers, 200),
    mayShow: (viewer, world) => seenBy(world, viewer),
    mustShow: routableSeen,
  },
  {
    name: 'GET /registry by the beginning of ids',
    operationId: 'listRegistry',
    ask: ({ headers }, world) =>
      Promise.all(
        all(world).map(({ agentId }) => get(`/registry?agent_id_prefix=${encodeURIComponent(agentId)}`, headers)),
      ),
    mayShow: (viewer, world) => seenBy(world, viewer),
    mustShow: routableSeen,
  },
  {
    name: 'POST /match by capability',
    operationId: 'match',
    ask: byEach(({ capability }) => ({ required_capabilities: [capability] })),
    mayShow: (viewer, world) => seenBy(world, viewer),
    mustShow: routableSeen,
  },
  {
    name: 'POST /match by settlement_rail',
    operationId: 'match',
    ask: byEach(({ mark }) => ({ settlement_rail: `${mark}-rail` })),
    mayShow: (viewer, world) => seenBy(world, viewer),
    mustShow: routableSeen,
  },
  {
    name: 'POST /match by org_name',
    operationId: 'match',
    ask: ({ headers }, { A, B }) => Promise.all([A, B].map(({ name }) => match({ org_name: name }, headers))),
    mayShow: (viewer, world) => seenBy(world, viewer).filter(({ owner }) => owner !== null),
    mustShow: (viewer, world) => routableSeen(viewer, world).filter(({ owner }) => owner !== null),
  },
  {
    name: 'POST /match by all capabilities at once',
    operationId: 'match',
    ask: async ({ headers }, world) => [
      await match({ required_capabilities: all(world).map(({ capability }) => capability) }, headers),
    ],
    mayShow: (viewer, world) => seenBy(world, viewer),
    mustShow: routableSeen,
  },
  {
    name: 'GET /org/agents',
    operationId: 'listOrgAgents',
    ask: async ({ headers }) => [await get('/org/agents', headers), ...(await pagesOf('/org/agents', headers, 2))],
    mayShow: (viewer, world) => ownedBy(world, viewer),
    mustShow: (viewer, world) => ownedBy(world, viewer),
  },
  {
    name: 'GET /org/payments',
    operationId: 'listOrgPayments',
    ask: async ({ headers }) => [await get('/org/payments', headers)],
    mayShow: (viewer, world) => ownedBy(world, viewer),
  },
  {
    name: 'GET /ops/settlements',
    operationId: 'listSettlements',
    ask: async ({ headers }) => [await get('/ops/settlements', headers)],
    mayShow: nobody,
  },
  {
    name: 'GET /org/agents/{agent_id}/events for each of the viewer’s agents',
    operationId: 'listAgentEvents',
    ask: (viewer, world) =>
      Promise.all(
        ownedBy(world, viewer).map(({ agentId }) => get(`/org/agents/${agentId}/events?limit=500`, viewer.headers)),
      ),
    mayShow: (viewer, world) => ownedBy(world, viewer),
    // Counterparties by id only, even if they live elsewhere now: agents of the same owner, and agents that were live at the time.
    mayName: (viewer, world) => [
      ...seenBy(world, viewer),
      ...all(world).filter(
        ({ name, owner }) => owner !== null && (owner === viewer.owner || name.startsWith('withdrawn')),
      ),
    ],
  },
  {
    name: 'GET /ops/events',
    operationId: 'listEvents',
    ask: async ({ headers }) => [await get('/ops/events?limit=500', headers)],
    mayShow: nobody,
  },
  {
    name: 'GET /org/whoami',
    operationId: 'whoami',
    ask: async ({ headers }) => [await get('/org/whoami', headers)],
    mayShow: nobody,
  },
  {
    name: 'POST /sandbox/preview_match',
    operationId: 'previewMatch',
    // By similar names, because the explanation repeats the requested ones.
    ask: ({ headers, owner }, world) => {
      const sandbox_agent_id = world.residents[`draft of ${owner ?? 'A'}`]?.agentId;
      const questions = [{}, ...all(world).map(({ closeName }) => ({ required_capabilities: [closeName] }))];
      return Promise.all(
        questions.map((question) =>
          ask('POST', '/sandbox/preview_match', { headers, body: { sandbox_agent_id, ...question } }),
        ),
      );
    },
    mayShow: ({ hasOrgKey, sees, owner }, world) =>
      all(world).filter(
        ({ name, place }) =>
          hasOrgKey && sees !== 'production' && (place === 'production' || name === `draft of ${owner}`),
      ),
  },
  {
    name: 'GET /activity',
    operationId: 'getActivity',
    ask: async ({ headers }) => [await get('/activity?days=30', headers)],
    // Of production alone, whichever key asks.
    mayShow: (_, world) => routable(all(world).filter(({ place }) => place === 'production')),
  },
  {
    name: 'GET /capabilities by part of a name',
    operationId: 'listCapabilities',
    ask: ({ headers }, world) =>
      Promise.all(all(world).map(({ capability }) => get(`/capabilities?text=${capability}`, headers))),
    // Names of production are known in every universe, and stay when their agent leaves it.
    mayShow: (viewer, world) => [
      ...seenBy(world, viewer),
      ...all(world).filter(({ name, place }) => place === 'production' || name.startsWith('withdrawn')),
    ],
  },
  {
    name: 'GET /health',
    operationId: 'health',
    ask: async ({ headers }) => [await get('/health', headers)],
    mayShow: nobody,
  },
  {
    name: 'GET /openapi.json',
    operationId: 'describeInterface',
    ask: async ({ headers }) => [await get('/openapi.json', headers)],
    mayShow: nobody,
  },
];

import { runs } from '@agent-trust/test-kit/runs';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, ask, type Body, get, type HeaderMap, post, profile } from '../support/ask.ts';
import { type RecordingAgent, startRecordingAgent } from '../support/recording-agent.ts';
import { listings } from '../support/universes/listings.ts';
import { comparable, probes, seenOf } from '../support/universes/probes.ts';
import { seenBy, type Viewer, viewersOf } from '../support/universes/viewers.ts';
import { buildWorld, freshId, type Place, type Resident, type World } from '../support/universes/world.ts';

/*
 * Bug: an answer to some viewer has a trace of an agent in another universe: in its body, its headers, a count, the text of an error, or by
 * differing from the answer about an unregistered agent.
 * Method: every agent of three universes has a mark in each of its fields. Every viewer sends every request; the answers may contain only the
 * marks that the tables allow. Of the agents with the same place and owner, each request names one in turn; in the long form it names all.
 */
let endpoint: RecordingAgent;
let world: World;
let viewers: Viewer[];
let residents: Resident[];

beforeAll(async () => {
  endpoint = await startRecordingAgent();
  world = await buildWorld(endpoint);
  viewers = viewersOf(world);
  residents = Object.values(world.residents);
  return () => endpoint.stop();
});

const resident = (name: string): Resident => world.residents[name] as Resident;
const namesOf = (some: readonly { name: string }[]): string[] => some.map(({ name }) => name).sort();

/** Names of the agents, except these, of which the answers have a trace. */
const tracesIn = (answers: readonly Answer[], mayShow: readonly Resident[], mayNameToo: readonly string[] = []) => {
  const seen = answers.map(seenOf).join('\n');
  return residents.flatMap(({ name, mark, idMark }) => {
    if (mayShow.some((shown) => shown.name === name)) return [];
    const marks = mayNameToo.includes(name) ? [mark] : [mark, idMark];
    return marks.some((trace) => seen.includes(trace)) ? [name] : [];
  });
};
const shownIn = (answers: readonly Answer[]): Resident[] => {
  const ids = new Set(answers.flatMap(({ list }) => list.map((agent) => agent['agent_id'])));
  return residents.filter(({ agentId }) => ids.has(agentId));
};

/** Operations whose answers concern no hidden agents, with the reason. */
const silent: Record<string, string> = {
  createOrganisation: 'names an organisation only',
  findOrganisation: 'names an organisation only',
  explainRecord: 'shows reviews of production, which stay public; under formula v2 alone: own-system/trust-policies.ts',
  getRecordHistory: 'names an organisation and exchanges of production only',
  redeemClaim: 'a claim token is the only way in, and it is the agent’s own',
  erasePersonalData: 'is for operators alone, and names the agent that was named',
  agentWhoami: 'shows the agent of the credential alone',
  operatorWhoami: 'is for operators alone, and names an operator only',
  getOperationsStatus: 'is for operators alone, and names no agent',
  getOperationsRates: 'is for operators alone, and names no agent',
  getOrgPaymentTotals: 'sums amounts by currency, and names no agent',
  startReplay: 'is for operators alone, and names no agent',
  listReplays: 'is for operators alone, and names no agent',
  getReplay: 'is for operators alone, and names no agent',
  cancelReplay: 'is for operators alone, and names no agent',
  listPolicies: 'is for operators alone, and names no agent',
  startPolicyTrial: 'is for operators alone, and names no agent',
  listPolicyTrials: 'is for operators alone, and names no agent',
  getPolicyTrial: 'is for operators alone, and names no agent',
  cancelPolicyTrial: 'is for operators alone, and names no agent',
  listPolicyTrialAgents: 'is for operators alone, who see agents in all universes',
  getPolicyTrialAgent: 'is for operators alone, who see agents in all universes',
  startPolicySimulation: 'is for operators alone, and names no agent',
  listPolicySimulations: 'is for operators alone, and names no agent',
  getPolicySimulation: 'is for operators alone, and names no agent',
  cancelPolicySimulation: 'is for operators alone, and names no agent',
  getSimulatedCourse: 'is for operators alone, and names no agent',
  activatePolicy: 'is for operators alone, and names no agent',
  voidReviews: 'is for operators alone, and of production',
  suspendAgent: 'is for operators alone, and names the agent that was named',
  reinstateAgent: 'is for operators alone, and names the agent that was named',
  createOperatorKey: 'is for operators alone, and names an operator only',
  listOperatorKeys: 'is for operators alone, and names operators only',
  revokeOperatorKey: 'is for operators alone, and names an operator only',
  createSignInCode: 'is for operators alone, and names nobody',
  signIn: 'names an operator only',
  playDemo: 'is for operators alone, and absent there',
  getDemo: 'is for operators alone, and absent there',
  disableOrganisation: 'names an organisation only',
  enableOrganisation: 'names an organisation only',
  reissueOrganisationKeys: 'names an organisation only',
  setOrganisationLimits: 'names an organisation only',
  getOrganisationLimits: 'names an organisation only',
  getOrganisationUsage: 'names an organisation only',
  getOrgUsage: 'names an organisation only',
  requestDomainProof: 'names an organisation and a domain only',
  listOrgDomains: 'names an organisation and its domains only',
  verifyDomain: 'names an organisation and a domain only',
  vouchForDomain: 'is for operators alone',
  withdrawDomainProof: 'is for operators alone',
  confirmCapabilityAlias: 'is for operators alone',
  undoCapabilityAlias: 'is for operators alone',
  issueSandboxKey: 'names an organisation only',
  revokeSandboxKey: 'names an organisation only',
  replaceOrgKey: 'names an organisation only',
  createOrgKey: 'names an organisation only',
  listOrgKeys: 'names an organisation and its keys only',
  replaceOrgNamedKey: 'names an organisation and its key only',
  revokeOrgKey: 'names an organisation and its key only',
  registerWebhook: 'takes the production key alone, and agents of production: tests/e2e/webhooks.test.ts',
  openWebhookListener: 'names an organisation only',
  listenToWebhookMessages: 'shows what webhooks are sent, which tests of webhooks follow',
  listWebhooks: 'names an organisation only',
  getWebhook: 'names an organisation and its webhook only',
  getWebhookSecret: 'names an organisation and its webhook only',
  deleteWebhook: 'names an organisation and its webhook only',
  replayWebhook: 'names an organisation and its webhook only',
  listWebhookDeliveries: 'shows agents of production alone',
  listAllWebhooks: 'names organisations and their webhooks only',
  listDeliveriesOfAnyWebhook: 'shows agents of production alone',
  replayAnyWebhook: 'names a webhook only',
  getAgentCard: 'is of the registry itself',
  getOlderAgentCard: 'is of the registry itself',
  askForDirections: 'says the same to everybody',
  importAgent: 'reads what another domain serves',
  getLogInclusionProof: 'is hashes',
  getLogConsistencyProof: 'is hashes',
  getLogTile: 'is hashes',
  getLogTileOf2Parts: 'is hashes',
  getLogTileOf3Parts: 'is hashes',
  getLogTileOf4Parts: 'is hashes',
  readConsole: 'is the same for everybody, and has no data',
  readConsoleFile: 'is the same for everybody, and has no data',
  readConsolePage: 'is the same for everybody, and has no data',
  readConsolePage2: 'is the same for everybody, and has no data',
  readConsolePage3: 'is the same for everybody, and has no data',
  readDocs: 'describes the interface',
  readHome: 'describes the interface',
  readDocsFile: 'describes the interface',
  postMcpMessage: 'passes requests to the routes above, in the name of who asks',
  listenToMcp: 'passes on what those answer',
  endMcpSession: 'ends what the caller began',
  openLegacyMcp: 'passes on what those answer',
  postLegacyMcpMessage: 'passes requests to the routes above, in the name of who asks',
};

type Operation = { operationId: string; parameters?: { name: string }[]; security?: Record<string, unknown>[] };

/** Operations without parameters and credentials answer everybody alike, so one request is enough. */
const needsNothing = (method: string, { parameters = [], security = [] }: Operation): boolean =>
  method === 'get' &&
  parameters.every(({ name }) => name === 'X-Request-Id') &&
  security.every((one) => Object.keys(one).length === 0);

it('covers every operation of the interface', async () => {
  const { paths } = (await get('/openapi.json')).body as { paths: Record<string, Record<string, Operation>> };
  const known = new Set([...listings, ...probes].map(({ operationId }) => operationId).concat(Object.keys(silent)));
  const unknown: string[] = [];
  const traces: string[] = [];
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      // HEAD shows less than its GET.
      if (method === 'head' || known.delete(operation.operationId)) continue;
      if (needsNothing(method, operation)) traces.push(...tracesIn([await get(path)], []));
      else unknown.push(operation.operationId);
    }
  }
  expect({ unknown, traces, gone: [...known] }).toEqual({ unknown: [], traces: [], gone: [] });
});

describe.each(listings)('$name', ({ ask: list, mayShow, mayName, mustShow }) => {
  it('shows each viewer its own universe, and nothing of another', async () => {
    for (const viewer of viewers) {
      const answers = await list(viewer, world);
      const allowed = mayShow(viewer, world);
      // An owner may see which agent is the counterpart in a pair.
      const pair = viewer.owner === 'A' ? ['paired live of A', 'clone of A'] : [];
      const named = [...pair, ...(mayName?.(viewer, world) ?? []).map(({ name }) => name)];
      expect([viewer.name, tracesIn(answers, allowed, named)]).toEqual([viewer.name, []]);
      const shown = shownIn(answers);
      const expected = mustShow?.(viewer, world) ?? shown;
      expect([viewer.name, namesOf(shown)]).toEqual([viewer.name, namesOf(expected)]);
    }
  });
});

/** One agent for each place and owner, a different one at each turn. */
const oneOfEachKind = (some: readonly Resident[], turn: number): Resident[] =>
  [...Map.groupBy(some, ({ place, owner }) => `${place}, ${owner}`).values()].map(
    (kind) => kind[turn % kind.length] as Resident,
  );

let turn = 0;
describe.each(probes)('$name', ({ ask: name, isHidden }) => {
  it('answers for a hidden agent as for an unregistered one', async () => {
    for (const viewer of viewers) {
      const unregistered = freshId();
      const unknown = comparable(await name(viewer, unregistered, world), unregistered);
      const hidden = residents.filter((one) => isHidden(viewer, one));
      for (const target of runs(1, 0) === 1 ? oneOfEachKind(hidden, (turn += 1)) : hidden) {
        const answer = await name(viewer, target.agentId, world);
        const reported = [viewer.name, target.name, comparable(answer, target.agentId)];
        expect(reported).toEqual([viewer.name, target.name, unknown]);
        expect(tracesIn([answer], [], [target.name, 'clone of A', 'draft of B'])).toEqual([]);
      }
    }
  });
});

const countOf = async (path: string, headers: HeaderMap): Promise<string | null> => {
  const page = await ask('GET', `${path}?limit=1`, { headers, owner: true });
  return page.headers.get('x-total-count');
};

it('counts in one universe leave those of the others unchanged', async () => {
  for (const viewer of viewers.filter(({ sees }) => sees !== 'production')) {
    const there = seenBy(world, viewer);
    const routable = there.filter(({ name }) => !name.startsWith('unreachable'));
    expect(await countOf('/registry', viewer.headers)).toBe(String(routable.length));
    expect(await countOf('/org/agents', viewer.headers)).toBe(String(there.length));
  }
  const onlyPage = await get('/registry?limit=1', world.B.sandboxKey);
  expect(onlyPage.headers.get('link')).toBe(null);
});

describe('profiles', () => {
  // Who rated whom stays public if it happened in production, wherever either of them moved since; in a sandbox it stays there.
  it.each<[string, Place, string[]]>([
    ['live of A', 'production', ['live of B']],
    ['live of B', 'production', ['withdrawn by A']],
    ['published by A', 'production', []],
    ['draft of A', 'sandbox of A', ['caller of A']],
    ['withdrawn by A', 'sandbox of A', ['caller of A', 'live of B']],
  ])('%s, in %s, shows ratings by %j', async (name, place, raters) => {
    expect(resident(name).place).toBe(place);
    for (const viewer of viewers.filter(({ sees }) => sees === place)) {
      const answer = await profile(resident(name).agentId, viewer.headers);
      const ratings = answer.body['ratings_received'] as Body[];
      expect(ratings.map((rating) => rating['caller_agent_id'])).toEqual(
        raters.map((rater) => resident(rater).agentId),
      );
      expect(tracesIn([answer], [resident(name)], raters)).toEqual([]);
    }
  });
});

describe("a capability's name", () => {
  const names = {
    production: () => ({}),
    'sandbox of A': () => world.A.sandboxKey,
    'sandbox of B': () => world.B.sandboxKey,
  };
  const registerClose = (target: Resident, place: Place): Promise<Answer> =>
    post(
      '/register',
      { agent_id: freshId(), contact_email: 'o@agent.example', capabilities: [target.closeName] },
      names[place](),
    );
  /** A name known in production stays known there, and production's names are known in every sandbox. */
  const isKnownIn = (target: Resident, place: Place): boolean =>
    target.place === place || target.place === 'production' || target.name === 'withdrawn by A';

  it.each(['sandbox of B', 'sandbox of A', 'production'] as const)(
    'causes a question in %s only if it is known there',
    async (place) => {
      for (const target of residents) {
        const answer = await registerClose(target, place);
        const reported = [target.name, answer.status, answer.body['candidate_matches']];
        const isKnown = isKnownIn(target, place);
        const candidates = { [target.closeName]: target.capability };
        expect(reported).toEqual(isKnown ? [target.name, 202, candidates] : [target.name, 201, undefined]);
        expect(tracesIn([answer], isKnown ? [target] : [])).toEqual([]);
      }
    },
  );

  it('learned in a sandbox is known in that sandbox alone', async () => {
    const target = resident('caller of A');
    const alias = `${target.closeName}_too`;
    const learner = {
      agent_id: freshId(),
      capabilities: [alias],
      capability_confirmations: { [alias]: true },
      candidate_matches: { [alias]: target.capability },
      endpoint_url: endpoint.url,
    };
    expect((await post('/register', learner, world.A.sandboxKey)).status).toBe(201);
    for (const viewer of viewers) {
      const answer = await post('/match', { required_capabilities: [alias] }, viewer.headers);
      const found = answer.list.map((agent) => agent['agent_id']);
      const isKnown = viewer.sees === 'sandbox of A';
      const holders = [learner.agent_id, target.agentId].filter((agentId) => found.includes(agentId));
      expect([viewer.name, holders.length]).toEqual([viewer.name, isKnown ? 2 : 0]);
      expect([viewer.name, tracesIn([answer], isKnown ? seenBy(world, viewer) : [])]).toEqual([viewer.name, []]);
    }
  });
});

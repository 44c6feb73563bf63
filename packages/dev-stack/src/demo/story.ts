import { randomBytes } from 'node:crypto';
import {
  isConfirmationRequired,
  type RegisterRequest,
  type RegistryClient,
  type TrustObject,
} from '@agent-trust/client';
import type { DemoStep } from '@agent-trust/contracts';
import { contributionsOf, NO_ROOT, policyV1, rootText, TrustLedger } from '@agent-trust/trust-policy';
import { type RunningAgent, startA2aAgent, startPlainAgent } from './agents.ts';

const quoteFor = (input: unknown, unitPrice: number): { items: number; total: number } => {
  const items = typeof input === 'object' && input !== null && 'items' in input ? Number(input.items) : 1;
  return { items, total: items * unitPrice };
};

/** An agent, with a client that has its bearer key. */
type Member = { agentId: string; orgDomain: string | null; client: RegistryClient };

const join = async (client: RegistryClient, registration: RegisterRequest): Promise<Member> => {
  const registered = await client.register(registration);
  if (isConfirmationRequired(registered)) throw new Error('the registry asks to confirm a capability');
  const { agent_key: agentKey } = await client.redeemClaim(registered.claim_link);
  const { agent_id: agentId, org_domain: orgDomain = null } = registration;
  return { agentId, orgDomain, client: client.with({ agentKey }) };
};

const message = (data: object): Record<string, unknown> => ({
  jsonrpc: '2.0',
  method: 'message/send',
  params: { message: { role: 'user', parts: [{ kind: 'data', content_type: 'application/json', content: data }] } },
});

const startAgents = async (): Promise<{ aurora: RunningAgent; corner: RunningAgent; ruin: RunningAgent }> => {
  const [aurora, corner, ruin] = await Promise.all([
    startA2aAgent('Aurora Quotes', (parts) => {
      const data = parts.find((part) => part.content?.$case === 'data')?.content?.value;
      return `${quoteFor(data, 12).items} items cost ${quoteFor(data, 12).total} EUR`;
    }),
    startPlainAgent((input) => ({ status: 200, body: { ...quoteFor(input, 11), currency: 'EUR' } })),
    startPlainAgent(() => ({ status: 500, body: { error: 'out of order' } })),
  ]);
  return { aurora, corner, ruin };
};

/** Explains a score in words, computed here from the published policy and the same reviews. */
const explain = (ledger: TrustLedger, agentId: string): string[] => {
  const score = ledger.score(agentId);
  const parts = contributionsOf(score).map(({ kind, root, cappedWeight, mean, points }) =>
    kind === 'prior'
      ? `prior ${(mean * 100).toFixed(0)} (weight ${cappedWeight}) gives ${points.toFixed(2)}`
      : `${rootText(root ?? NO_ROOT)} says ${(mean * 100).toFixed(0)} (weight ${cappedWeight.toFixed(2)}) gives ${points.toFixed(2)}`,
  );
  return [...parts, `together ${score.unrounded.toFixed(2)}`];
};

/** The same under another policy, whose parts the registry names. */
const explained = async (client: RegistryClient, agentId: string): Promise<string[]> => {
  const { contributions, unrounded } = (await client.trust(agentId)).trust;
  const parts = contributions.map(({ kind, capped_weight: weight, mean, points, established }) => {
    const gives = `gives ${points.toFixed(2)}`;
    if (kind === 'record') return `the record of its organisation ${gives}`;
    if (kind === 'third_voice') return `a third content organisation ${gives}`;
    const says = `${(mean * 100).toFixed(0)} (weight ${weight.toFixed(2)}) ${gives}`;
    if (kind === 'prior') return `prior ${says}`;
    return `${established === true ? 'an established organisation' : 'an organisation that is not established'} says ${says}`;
  });
  return [...parts, `together ${unrounded.toFixed(2)}`];
};

/** The text of an A2A message, else the JSON unchanged. */
const gistOf = (body: unknown): string => {
  const parts = (body as { result?: { parts?: { text?: unknown }[] } } | null)?.result?.parts;
  const text = parts?.map((part) => part.text).filter((said) => typeof said === 'string');
  return text !== undefined && text.length > 0 ? `«${text.join(' ')}»` : JSON.stringify(body);
};

type Verdict = { success: boolean; score: number };

/** A step as the story tells it. */
export type StoryStep = Omit<DemoStep, 'at'>;
/** Hears each step as soon as it has happened; the story goes on when it resolves, and ends if it rejects. */
export type Listener = (step: StoryStep) => void | Promise<void>;

const step = (kind: StoryStep['kind'], text: string, about: Partial<StoryStep> = {}): StoryStep => ({
  kind,
  text,
  details: [],
  agentId: null,
  callerAgentId: null,
  transactionId: null,
  trustScore: null,
  trustScoreBefore: null,
  recommendedAction: null,
  ...about,
});

type Verdicted = Pick<TrustObject, 'agent_id' | 'trust_score' | 'recommended_action'>;
const standing = ({ agent_id, trust_score, recommended_action }: Verdicted): Partial<StoryStep> => ({
  agentId: agent_id,
  trustScore: trust_score,
  recommendedAction: recommended_action,
});

/** One reviewed call: the request, the answer, the review, and its effect on the trust score. */
const dealWith = async (
  { tell, ledger }: { tell: Listener; ledger: TrustLedger },
  caller: Member,
  agentId: string,
  verdict: Verdict,
): Promise<void> => {
  const { client } = caller;
  const before = await client.verify({ agent_id: agentId });
  const pair = { caller_agent_id: caller.agentId, agent_id: agentId };
  const answer = await client.call({ ...pair, message: message({ items: 3 }) });
  const exchange = { agentId, callerAgentId: caller.agentId, transactionId: answer.transaction_id };
  const { fallback_suggestion: other } = answer;
  await tell(
    step('called', `${caller.agentId} calls ${agentId}: status ${answer.status_code}, ${gistOf(answer.body)}`, {
      ...exchange,
      details: other === null ? [] : [`the registry suggests instead: ${other}`],
    }),
  );
  const { trust_score: trust } = await client.verify({ agent_id: caller.agentId });
  const after = await client.review({ caller_agent_id: caller.agentId, receiver_agent_id: agentId, ...verdict });
  ledger.record(agentId, {
    reviewedAt: Date.now(),
    reviewer: caller.agentId,
    roots: ledger.rootsOf(caller.agentId, caller.orgDomain),
    trust,
    ...verdict,
  });
  await tell(
    step(
      'reviewed',
      `reviewed ${verdict.score}/10, ${verdict.success ? 'success' : 'failure'}: trust ${move(before, after)}`,
      {
        ...standing(after),
        ...exchange,
        trustScoreBefore: before.trust_score,
        details: after.trust_policy === policyV1.name ? explain(ledger, agentId) : await explained(client, agentId),
      },
    ),
  );
};

const move = (before: TrustObject, after: TrustObject): string =>
  `${before.trust_score} → ${after.trust_score} (${before.recommended_action} → ${after.recommended_action})`;

/**
 * Shows the registry's main job with real agents: register, find, verify, call, review, and trust changes. Every step comes from its answers.
 * @param registry with a credential that creates organisations
 * @returns the agents that it registered, sellers first
 */
export async function playMainJob(registry: RegistryClient, tell: Listener): Promise<string[]> {
  // So that the demonstration can run again on the same data.
  const mark = randomBytes(3).toString('hex');
  const ledger = new TrustLedger(policyV1);
  const agents = await startAgents();
  try {
    await tell(step('chapter', '1. Three buyers and three sellers register'));
    const enrol = async (
      name: string,
      trustPrior: number,
      registration: Omit<RegisterRequest, 'agent_id'>,
      client = registry,
    ): Promise<Member> => {
      const member = await join(client, { agent_id: `${name}-${mark}`, ...registration });
      ledger.setPrior(member.agentId, trustPrior);
      const trust = await registry.verify({ agent_id: member.agentId });
      const whose = trust.verified ? 'verified by its organisation' : 'without an organisation';
      await tell(
        step('registered', `${member.agentId.padEnd(24)} trust ${trust.trust_score}, ${whose}`, standing(trust)),
      );
      return member;
    };
    const organisation = async (name: string): Promise<RegistryClient> => {
      const body = { org_name: `${name} ${mark}`, contact_email: 'ops@registry.example' };
      return registry.with({ orgKey: (await registry.org.createKey(body)).api_key });
    };
    const buyers: Member[] = [];
    for (const org of ['acme', 'globex', 'initech'])
      buyers.push(await enrol(`${org}-buyer`, 75, { org_domain: `${org}-${mark}.example` }, await organisation(org)));
    const sells = { capabilities: [{ name: 'price_quote', weight: 3 }] };
    const northwind = await organisation('northwind');
    const aurora = await enrol(
      'aurora-quotes',
      75,
      { ...sells, endpoint_url: agents.aurora.url, a2a_compliant: true, specialty: 'Quotes, over A2A' },
      northwind,
    );
    const outsider = { ...sells, contact_email: 'owner@seller.example' };
    const corner = await enrol('corner-shop', 40, {
      ...outsider,
      endpoint_url: agents.corner.url,
      specialty: 'Quotes, plain HTTP',
    });
    const ruin = await enrol('ruin-quotes', 40, {
      ...outsider,
      endpoint_url: agents.ruin.url,
      specialty: 'Always out of order',
    });

    await tell(step('chapter', '2. acme-buyer looks for somebody who quotes prices'));
    const found = await registry.match({ required_capabilities: ['Price Quote'], limit: 200 });
    const own = found.filter(({ agent_id }) => agent_id.endsWith(mark));
    for (const [rank, match] of own.entries()) {
      const scores = `match ${match.match_score.toFixed(4)}, trust ${match.trust_score}: ${match.recommended_action}`;
      await tell(step('found', `${rank + 1}. ${match.agent_id.padEnd(24)} ${scores}`, standing(match)));
    }

    await tell(step('chapter', '3. Calls through the registry, and reviews that move trust'));
    const scene = { tell, ledger };
    const [acme, globex, initech] = buyers as [Member, Member, Member];
    await dealWith(scene, acme, aurora.agentId, { success: true, score: 9 });
    for (const buyer of [acme, globex, initech])
      await dealWith(scene, buyer, corner.agentId, { success: true, score: 10 });
    for (const buyer of [acme, globex]) await dealWith(scene, buyer, ruin.agentId, { success: false, score: 1 });

    await tell(step('chapter', '4. Who is trusted now'));
    for (const seller of [aurora, corner, ruin]) {
      const trust = await registry.verify({ agent_id: seller.agentId });
      const verdict = `trust ${trust.trust_score}: ${trust.recommended_action}`;
      await tell(step('judged', `${seller.agentId.padEnd(24)} ${verdict}`, standing(trust)));
    }
    const unknown = `nobody-${mark}`;
    await tell(
      step('judged', `${unknown.padEnd(24)} not registered: block`, { agentId: unknown, recommendedAction: 'block' }),
    );
    return [aurora, corner, ruin, ...buyers].map(({ agentId }) => agentId);
  } finally {
    await Promise.all(Object.values(agents).map((agent) => agent.stop()));
  }
}

import type {
  AgentProfile,
  KnownCapability,
  MatchResult,
  OwnerAgentProfile,
  OwnerTrustObject,
  ReviewAnswer,
  TrustObject,
  UnregisteredAgent,
} from '@agent-trust/client';
import type { Output, Style } from './output.ts';
import { safeLine } from './safe-text.ts';
import { type Cell, type Column, type PaintedCell, right } from './table.ts';

const styleOf: Record<string, Style> = {
  proceed: 'green',
  proceed_with_limits: 'yellow',
  abort: 'red',
  block: 'red',
};

/** `proceed_with_limits` in words, with its colour. */
export function actionCell(action: string, out: Pick<Output, 'paint'>): PaintedCell {
  const style = styleOf[action];
  return {
    text: safeLine(action.replaceAll('_', ' ')),
    ...(style === undefined ? {} : { paint: (text: string) => out.paint(style, text) }),
  };
}

const capabilityText = ({ name, weight }: { name: string; weight: number }): string =>
  weight === 1 ? name : `${name} ×${weight}`;

export function listOr(items: readonly string[] | null | undefined, otherwise = 'none'): string {
  return items == null || items.length === 0 ? otherwise : items.join(', ');
}

const percent = (rate: number | null): string => (rate === null ? 'no reviews yet' : `${Math.round(rate * 100)} %`);

/** `2026-05-01T12:00:00.000Z` as `2026-05-01 12:00:00 UTC`. */
export function timeText(time: string | null): string {
  return time === null ? 'never' : time.replace(/^(.{10})T(.{8}).*$/u, '$1 $2 UTC');
}

/** How an agent answers calls, in one line; a registry of an earlier version does not say it. */
export function answersText(liveness: TrustObject['liveness'] | undefined): string {
  if (liveness == null) return 'no calls yet';
  const { live, success_rate, exchanges, timeout_share, p50_answer_ms, p95_answer_ms, caller_organisations } = liveness;
  const parts = [
    `${Math.round(success_rate * 100)} % of ${exchanges} calls${live ? '' : ', not live'}`,
    ...(timeout_share > 0 ? [`${Math.round(timeout_share * 100)} % timed out`] : []),
    ...(p50_answer_ms === null ? [] : [`half within ${p50_answer_ms} ms, 95 % within ${p95_answer_ms} ms`]),
    `of ${caller_organisations} organisation${caller_organisations === 1 ? '' : 's'}`,
    `last ${timeText(liveness.last_answered_at)}`,
  ];
  return parts.join('; ');
}

/** Between which scores an agent with such evidence lies, and how much evidence there is, in one line. */
export function confidenceText({
  interval: [low = 0, high = 100],
  evidence_weight: weight,
  roots,
}: NonNullable<TrustObject['confidence']>): string {
  return `${low} to ${high}, by a weight of ${weight.toFixed(2)} from ${roots} ${roots === 1 ? 'root' : 'roots'}`;
}

const columns: Column[] = ['AGENT', right('TRUST'), 'ACTION', 'VERIFIED', 'ORGANISATION', 'CAPABILITIES'];

/** An unregistered agent has no more than its verdict. */
type Listed = TrustObject | UnregisteredAgent;

const rowOf = (agent: Listed, out: Output): Cell[] => [
  { text: agent.agent_id, paint: (text) => out.paint('bold', text) },
  String(agent.trust_score),
  actionCell(agent.recommended_action, out),
  agent.verified ? 'yes' : 'no',
  'org_name' in agent ? (agent.org_name ?? '') : '',
  'capabilities' in agent ? agent.capabilities.map(capabilityText).join(', ') : '',
];

export function showAgents(agents: readonly Listed[], out: Output): void {
  if (agents.length === 0) return out.note('No agents.');
  return out.table(
    columns,
    agents.map((agent) => rowOf(agent, out)),
  );
}

/** Matches, best first, with the conditions that each met. */
export function showMatches(matches: readonly MatchResult[], out: Output): void {
  if (matches.length === 0) return out.note('No agent meets this.');
  return out.table(
    [right('MATCH'), ...columns.slice(0, 5), 'WHY'],
    matches.map((match) => [
      match.match_score.toFixed(4),
      ...rowOf(match, out).slice(0, 5),
      {
        text: match.match_reasons
          .map(({ required_capability: asked, matched_capability: met, how }) =>
            asked === met ? met : `${asked} → ${met} (${how})`,
          )
          .join(', '),
      },
    ]),
  );
}

/** Capabilities with their other names; learned ones are marked. */
export function showCapabilities(capabilities: readonly KnownCapability[], out: Output): void {
  if (capabilities.length === 0) return out.note('No capability is called so.');
  return out.table(
    ['CAPABILITY', 'CATEGORY', right('AGENTS'), 'ALSO CALLED'],
    capabilities.map(({ name, category, agent_count: count, aliases }) => [
      name,
      category ?? '',
      String(count),
      aliases.map(({ alias, learned }) => (learned ? `${alias} (learned)` : alias)).join(', '),
    ]),
  );
}

const answerText = (answer: ReviewAnswer | undefined): string =>
  answer === undefined ? '' : (answer.text ?? '(erased)');

type Shown = TrustObject & Partial<Omit<AgentProfile & OwnerAgentProfile & OwnerTrustObject, keyof TrustObject>>;

export function showAgent(agent: Shown, out: Output): void {
  const { routing } = agent;
  const endpoint = (routing as { endpoint_url?: string | null }).endpoint_url;
  const action = actionCell(agent.recommended_action, out);
  out.line(
    `${out.paint('bold', safeLine(agent.agent_id))}  trust ${safeLine(String(agent.trust_score))}/100: ${(action.paint ?? String)(action.text)}`,
  );
  const optional = (name: string, value: string | null | undefined): [string, string][] =>
    value == null || value === '' ? [] : [[name, value]];
  out.fields([
    // A registry of an earlier version does not say it.
    ...(agent.confidence == null ? [] : [['likely', confidenceText(agent.confidence)] as const]),
    ['organisation', `${agent.org_name ?? 'none'}${agent.verified ? ' (verified)' : ' (not verified)'}`],
    ...optional('domain', agent.org_domain),
    ...optional('specialty', agent.specialty),
    ['capabilities', listOr(agent.capabilities.map(capabilityText))],
    ['success rate', percent(agent.success_rate)],
    ['transactions', String(agent.transaction_count)],
    ['answers', answersText(agent.liveness)],
    ['protocol', `${agent.message_protocol}${agent.a2a_compliant ? ', A2A compliant' : ''}`],
    ['takes', listOr(agent.accepted_content_types)],
    ...optional('methods', listOr(routing.http_methods, '')),
    ...optional('rails', listOr(routing.settlement_rail, '')),
    ...optional('prices', (routing.price_schedule ?? []).map(({ task, price }) => `${task} ${price}`).join(', ')),
    ...optional('paid in', [routing.payment_asset, routing.payment_network].filter(Boolean).join(' on ')),
    ...optional('pay by', routing.pay_via),
    ...optional('endpoint', endpoint),
    ...optional('contact', agent.contact_info),
    ...optional('sign up', agent.signup_help),
    ...optional('auth header', agent.auth_header_name),
    ...(agent.is_sandbox === undefined ? [] : [['universe', agent.is_sandbox ? 'sandbox' : 'production'] as const]),
    ...optional('paired with', agent.related_agent_id),
    ...(agent.flags.length === 0 ? [] : [['flags', agent.flags.join(', ')] as const]),
    ['last active', timeText(agent.last_active)],
    ...(agent.registered_at === undefined ? [] : [['registered', timeText(agent.registered_at)] as const]),
  ]);
  if (agent.ratings_received !== undefined && agent.ratings_received.length > 0) {
    const hasAnswers = agent.ratings_received.some(({ answer }) => answer !== undefined);
    out.line();
    out.table(
      ['RATED', right('SCORE'), 'SUCCESS', 'BY', 'TRANSACTION', ...(hasAnswers ? ['ANSWER'] : [])],
      agent.ratings_received.map((rating) => [
        timeText(rating.reviewed_at),
        String(rating.score),
        rating.success ? 'yes' : 'no',
        rating.caller_agent_id,
        rating.transaction_id,
        ...(hasAnswers ? [answerText(rating.answer)] : []),
      ]),
    );
  }
}

import type { Liveness, RegistryEvent } from '@agent-trust/contracts';

type Dealt = { beganMs: number; answerMs: number | null; timedOut: boolean; orgId: string | null };

const dayMs = 86_400_000;

/** The liveness of each agent that was called, by its definition, from the events of a log. The read models must have the same. */
export function directLiveness(
  log: readonly { event: RegistryEvent; recordedAt: Date }[],
): ReadonlyMap<string, Liveness> {
  const startedAt = new Map<string, number>();
  const orgIds = new Map<string, string | null>();
  const dealt = new Map<string, Dealt[]>();
  for (const { event, recordedAt } of log) {
    const { type, data } = event;
    if (type === 'AgentRegistered' || type === 'AgentAdopted') orgIds.set(data.agentId, data.orgId);
    if (type === 'ExchangeStarted') startedAt.set(data.transactionId, Date.parse(data.startedAt));
    if (type !== 'ExchangeCompleted' && type !== 'ExchangeFailed') continue;
    if (data.universe.kind !== 'production' || (type === 'ExchangeFailed' && data.reason === 'cancelled')) continue;
    const ofReceiver = dealt.get(data.receiverAgentId) ?? [];
    dealt.set(data.receiverAgentId, ofReceiver);
    ofReceiver.push({
      beganMs: Math.min(startedAt.get(data.transactionId) ?? Number.NaN, recordedAt.getTime()),
      answerMs: type === 'ExchangeCompleted' ? Math.round(data.durationMs) : null,
      timedOut: type === 'ExchangeFailed' && data.reason === 'timeout',
      orgId: orgIds.get(data.callerAgentId) ?? null,
    });
  }
  return new Map(Array.from(dealt, ([agentId, exchanges]) => [agentId, livenessOf(exchanges)]));
}

const livenessOf = (exchanges: readonly Dealt[]): Liveness => {
  const byBeginning = exchanges.toSorted((one, other) => one.beganMs - other.beganMs);
  const newestMs = byBeginning.at(-1)?.beganMs ?? 0;
  const counted = byBeginning.filter(({ beganMs }) => beganMs >= newestMs - 30 * dayMs).slice(-100);
  const answered = counted.flatMap(({ beganMs, answerMs }) => (answerMs === null ? [] : [{ beganMs, answerMs }]));
  const sorted = answered.map(({ answerMs }) => answerMs).toSorted((one, other) => one - other);
  const within = (share: number): number | null => sorted[Math.ceil(share * sorted.length) - 1] ?? null;
  const successRate = answered.length / counted.length;
  return {
    live: successRate >= 0.5 && counted.slice(-3).some(({ answerMs }) => answerMs !== null),
    lastAnsweredAt:
      answered.length === 0
        ? null
        : new Date(Math.max(...answered.map(({ beganMs, answerMs }) => beganMs + answerMs))).toISOString(),
    successRate,
    p50AnswerMs: within(0.5),
    p95AnswerMs: within(0.95),
    timeoutShare: counted.filter(({ timedOut }) => timedOut).length / counted.length,
    callerOrganisations: new Set(counted.flatMap(({ orgId }) => orgId ?? [])).size,
    exchanges: counted.length,
  };
};

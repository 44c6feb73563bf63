import { type Liveness, limits } from '@agent-trust/contracts';
import { readExchanges } from './packed-exchanges.ts';

/** A liveness as a JSON list, which is a third of its JSON object: it is in each row of the past. `live` comes first, so that SQL finds it. */
type Packed = [
  live: 0 | 1,
  exchanges: number,
  answered: number,
  timedOut: number,
  p50AnswerMs: number | null,
  p95AnswerMs: number | null,
  callerOrganisations: number,
  lastAnsweredMs: number | null,
];

/** How the text of an agent begins that is live. */
export const livePrefix = '[1,';

/** What `livenessView` reads: the liveness of an agent, from its recent exchanges as `withExchange` returns them, of which there are some. */
export function livenessText(recent: string): string {
  const read = readExchanges(recent);
  const answerMs = new Uint32Array(read.count);
  const organisations: number[] = [];
  let answered = 0;
  let timedOut = 0;
  let newestFailures = 0;
  let beganMs = Number.POSITIVE_INFINITY;
  let lastAnsweredMs = 0;
  // The newest first.
  for (let place = read.count - 1; place >= 0; place -= 1) {
    const organisation = read.organisation(place);
    if (organisation > 0 && !organisations.includes(organisation)) organisations.push(organisation);
    if (read.wasAnswered(place)) {
      const ms = read.answerMs(place);
      answerMs[answered] = ms;
      answered += 1;
      // It began no later than those before it, and hardly any was answered after them: most beginnings need not be read.
      if (beganMs + ms > lastAnsweredMs) {
        beganMs = read.beganMs(place);
        lastAnsweredMs = Math.max(lastAnsweredMs, beganMs + ms);
      }
    } else {
      if (read.hasTimedOut(place)) timedOut += 1;
      if (answered === 0) newestFailures += 1;
    }
  }
  const sorted = answerMs.subarray(0, answered).sort();
  // Who has failed all of fewer exchanges has too low a success rate.
  const isLive = answered / read.count >= limits.liveSuccessRateMin && newestFailures < limits.liveFailuresMax;
  const text: Packed = [
    isLive ? 1 : 0,
    read.count,
    answered,
    timedOut,
    percentile(sorted, 0.5),
    percentile(sorted, 0.95),
    organisations.length,
    answered === 0 ? null : lastAnsweredMs,
  ];
  return JSON.stringify(text);
}

/** The time that a share of the answers took at most: the nearest rank. */
const percentile = (sorted: Uint32Array, share: number): number | null =>
  sorted[Math.ceil(share * sorted.length) - 1] ?? null;

/** What is shown of a liveness; null before the first exchange. */
export function livenessView(text: string | null): Liveness | null {
  if (text === null) return null;
  const [live, exchanges, answered, timedOut, p50AnswerMs, p95AnswerMs, callerOrganisations, lastAnsweredMs] =
    JSON.parse(text) as Packed;
  return {
    live: live === 1,
    lastAnsweredAt: lastAnsweredMs === null ? null : new Date(lastAnsweredMs).toISOString(),
    successRate: answered / exchanges,
    p50AnswerMs,
    p95AnswerMs,
    timeoutShare: timedOut / exchanges,
    callerOrganisations,
    exchanges,
  };
}

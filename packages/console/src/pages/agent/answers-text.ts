import type { AgentProfile } from '@agent-trust/client';

/** How the agent answered its last calls, in one line. */
export function answersText(liveness: AgentProfile['liveness']): string {
  if (liveness === null) return '–';
  const { live, success_rate: rate, exchanges, p50_answer_ms: half } = liveness;
  const time = half === null ? '' : `, half of them within ${half.toLocaleString('en')} ms`;
  return `${Math.round(rate * 100)} % of the last ${exchanges}${time}${live ? '' : '; it does not answer now'}`;
}

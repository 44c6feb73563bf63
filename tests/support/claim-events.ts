import { agentStream } from '@agent-trust/contracts';
import type { Stack } from '@agent-trust/dev-stack';
import { openEventLog } from '@agent-trust/event-log';

/** The expiry of each of an agent's claim links, in the order of their issue. */
export async function linkExpiries(stack: Stack, agentId: string): Promise<unknown[]> {
  const log = await openEventLog(stack.environment['EVENT_LOG_URL'] ?? '', { applicationName: 'end-to-end tests' });
  try {
    const events = await log.readStream(agentStream(agentId));
    return events.filter(({ type }) => type === 'ClaimIssued').map(({ data }) => data['expiresAt']);
  } finally {
    await log.close();
  }
}

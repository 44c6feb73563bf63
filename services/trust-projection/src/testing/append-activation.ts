import { trustPolicyActivated, trustPolicyStream } from '@agent-trust/contracts';
import { trustPolicyDecider } from '@agent-trust/domain';
import { createEventRegistry, type EventLog, handleCommand } from '@agent-trust/event-log';
import type { AnyTrustPolicy } from '@agent-trust/trust-policy';

const registry = createEventRegistry([trustPolicyActivated]);

/** Activates a policy by the rules of its stream, as registry-write does. Returns the position. */
export async function appendActivation(
  log: EventLog,
  policy: AnyTrustPolicy,
  activationsBefore: number,
): Promise<bigint> {
  const { position } = await handleCommand({
    log,
    registry,
    decider: trustPolicyDecider,
    stream: trustPolicyStream,
    command: { type: 'ActivateTrustPolicy', policy, activationsBefore, now: new Date().toISOString() },
    metadata: { actor: { kind: 'operator', id: null } },
    newEventId: () => crypto.randomUUID(),
  });
  return position ?? 0n;
}

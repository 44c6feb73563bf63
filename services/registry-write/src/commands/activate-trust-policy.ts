import { type activateTrustPolicy as contract, type Actor, faultAt, trustPolicyStream } from '@agent-trust/contracts';
import type { UnaryHandler } from '@agent-trust/nats-rpc';
import { type AnyTrustPolicy, BadPolicyError, parsePolicy } from '@agent-trust/trust-policy';
import { type CommandDeps, runSingle } from '../run-command.ts';
import { trustPolicyStreams } from '../stream-kinds.ts';

/** Only trust-projection can reach this, over the bus: for an admin whom the gateway has named, or for an operator's command. */
const commandLine = { kind: 'operator', id: null, credentials: [] } satisfies Actor;

export function activateTrustPolicy(deps: CommandDeps): UnaryHandler<typeof contract> {
  return async ({ policy: unchecked, activationsBefore, actor = commandLine }, context) => {
    const policy = soundPolicy(unchecked);
    const command = (now: string) => ({ type: 'ActivateTrustPolicy', policy, activationsBefore, now }) as const;
    const { now, position } = await runSingle(deps, { actor, context }, trustPolicyStreams, trustPolicyStream, command);
    return { position, activatedAt: now };
  };
}

/** The log keeps the policy for ever, so it must be one that scores can be computed with. */
const soundPolicy = (policy: unknown): AnyTrustPolicy => {
  try {
    return parsePolicy(policy);
  } catch (error) {
    if (error instanceof BadPolicyError) throw faultAt('validation_failed', ['policy'], error.message);
    throw error;
  }
};

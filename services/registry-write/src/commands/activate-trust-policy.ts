import { type activateTrustPolicy as contract, type Actor, faultAt, trustPolicyStream } from '@agent-trust/contracts';
import type { UnaryHandler } from '@agent-trust/nats-rpc';
import { BadPolicyError, parsePolicy, type TrustPolicy } from '@agent-trust/trust-policy';
import type { CommandDeps } from '../command-deps.ts';
import { beginCommand, runCommand, writtenPosition } from '../run-command.ts';
import { trustPolicyStreams } from '../stream-kinds.ts';

/** Only an operator's command reaches this, over the bus: no route of the gateway leads here. */
const operator = { kind: 'operator', id: null, credentials: [] } satisfies Actor;

/** Puts a trust policy in force. */
export function activateTrustPolicy(deps: CommandDeps): UnaryHandler<typeof contract> {
  return async ({ policy, activationsBefore }, context) => {
    const running = beginCommand(deps, operator, context);
    const activated = await runCommand(deps, running, trustPolicyStreams, trustPolicyStream, {
      type: 'ActivateTrustPolicy',
      policy: soundPolicy(policy),
      activationsBefore,
      now: running.now,
    });
    return { position: writtenPosition(activated), activatedAt: running.now };
  };
}

/** The log outlives whoever asks: what stands in it must be a policy that scores can be computed by. */
const soundPolicy = (policy: unknown): TrustPolicy => {
  try {
    return parsePolicy(policy);
  } catch (error) {
    if (error instanceof BadPolicyError) throw faultAt('validation_failed', ['policy'], error.message);
    throw error;
  }
};

import { eventDefinitions, trustPolicyStream } from '@agent-trust/contracts';
import type { EventLog, JsonObject } from '@agent-trust/event-log';
import { type AnyTrustPolicy, policyV1, policyV2 } from '@agent-trust/trust-policy';
import { describe, expect, it } from 'vitest';
import { knownPolicies } from './choose-policy.ts';

const schemaVersion = eventDefinitions.find(({ type }) => type === 'TrustPolicyActivated')?.version ?? 1;
const activatedAt = '2026-01-01T00:00:00.000Z';

/** The stream of a log that has put policies in force. */
const logOf = (...policies: readonly AnyTrustPolicy[]): Pick<EventLog, 'readStream'> => ({
  readStream: () =>
    Promise.resolve(
      policies.map((policy, index) => ({
        eventId: `activation-${index}`,
        type: 'TrustPolicyActivated',
        data: { policy, previousPolicy: policyV1.name, activatedAt } as unknown as JsonObject,
        metadata: { schemaVersion },
        stream: trustPolicyStream,
        revision: BigInt(index),
        position: BigInt(index + 1),
        recordedAt: new Date(activatedAt),
      })),
    ),
});

describe('the policies that a name can mean', () => {
  // Bug: operators of an old log see the constants of a policy that is not in force.
  it('have the one that an old log put in force under the name v2', async () => {
    const old = { ...policyV1, name: 'v2', constants: { ...policyV1.constants, strength: 10 } };
    expect(await knownPolicies(logOf(old))).toMatchObject([
      { name: 'v1', inForce: false, builtIn: true, document: policyV1 },
      { name: 'v2', inForce: true, builtIn: false, position: '1', document: old },
    ]);
  });

  it('have the built-in v2 where that is in force', async () => {
    expect(await knownPolicies(logOf(policyV2))).toMatchObject([
      { name: 'v1', inForce: false, builtIn: true },
      { name: 'v2', inForce: true, builtIn: true, position: '1', document: policyV2 },
    ]);
  });
});

import { DomainError, type PolicySwitch } from '@agent-trust/contracts';
import { cautionScoreMin, trustedScoreMin, trustPolicyDecider } from '@agent-trust/domain';
import type { EventLog } from '@agent-trust/event-log';
import {
  type ConnectionSettings,
  type ReplayOptions,
  replayReadModel,
  type ReplayReport,
} from '@agent-trust/projections';
import { canonicalPolicy, type AnyTrustPolicy } from '@agent-trust/trust-policy';
import type { ProjectedRegistryEvent } from '../../projector/read-models/registry-event.ts';
import { registryReadModel } from '../../projector/read-models/registry-read-model.ts';
import { currentPolicy, type PolicyPlan } from '../../projector/read-models/trust-policy/policy-plan.ts';
import { haltReplicas } from '../../replicas/halt-replicas.ts';
import { readModelSchema, withConnection } from '../../shared/database.ts';
import { plansOf } from '../common/plans-of.ts';

export type PolicyActivation = {
  report: ReplayReport;
  previousPolicy: string;
  /** The activation was in the log already, and only the switch of the read models was still to be done. */
  wasFinished: boolean;
};

export type ActivatePolicyOptions = {
  connection: ConnectionSettings;
  log: EventLog;
  policy: AnyTrustPolicy;
  /** Appends the activation after that many others and returns its position; registry-write checks the rules again there. */
  append: (activationsBefore: number) => Promise<bigint>;
} & Pick<ReplayOptions<ProjectedRegistryEvent>, 'onProgress' | 'signal'>;

/**
 * Puts a trust policy in force: builds its read models from the first event beside the live ones, compares all that does not depend on the
 * policy, pauses the live ones, appends the activation and switches. If rows differ, nothing is appended.
 *
 * Killed before the append, it has changed nothing. Killed after it, the live read models stop at the activation; this command or a replay
 * then finishes the switch.
 *
 * @throws DomainError if the log's rules refuse the policy, ReplayInProgressError, and what a replay throws
 */
export async function activatePolicy(options: ActivatePolicyOptions): Promise<PolicyActivation> {
  const { connection, log, policy, append } = options;
  const { live, wanted, otherPolicies, isArchived } = await plansOf(connection, log);
  const inForce = currentPolicy(wanted);
  const isFinish = otherPolicies && isSame(policy, inForce);
  if (otherPolicies && !isFinish) {
    throw new DomainError(
      'trust_policy_outdated',
      `trust policy ${inForce.name} is in force and the read models were not built for it yet: finish that first, by npm run replay`,
    );
  }
  // Asked before the long part; what counts is what the log says at the switch.
  if (!isFinish) ensureActivatable(wanted, policy);
  const plan = isFinish ? wanted : [...wanted, policy];
  const report = await replayReadModel({
    connection,
    schema: readModelSchema,
    beforeSwitch: () => haltReplicas(connection, readModelSchema),
    log,
    readModel: await registryReadModel({ policies: () => Promise.resolve(plan), otherPolicies: true, isArchived }),
    ...(isFinish ? {} : { atSwitch: () => append(wanted.length - 1) }),
    ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  return { report, previousPolicy: currentPolicy(isFinish ? live : wanted).name, wasFinished: isFinish };
}

const isSame = (a: AnyTrustPolicy, b: AnyTrustPolicy): boolean => canonicalPolicy(a) === canonicalPolicy(b);

/** Whether the log's rules allow that a policy is put in force after those. @throws DomainError trust_policy_active, trust_policy_name_taken */
export function ensureActivatable(activated: PolicyPlan, policy: AnyTrustPolicy): void {
  const state = {
    active: currentPolicy(activated),
    known: new Map(activated.map((each) => [each.name, each])),
    activations: activated.length - 1,
  };
  const activationsBefore = state.activations;
  trustPolicyDecider.decide({ type: 'ActivateTrustPolicy', policy, activationsBefore, now: '' }, state);
}

/** Counts what the read models keep of the latest switch; null when there was none. */
export function readSwitchSummary(connection: ConnectionSettings): Promise<PolicySwitch | null> {
  return withConnection(connection, async (client) => {
    const atLeast = (score: string, threshold: number): string =>
      `(count(*) FILTER (WHERE ${score} >= ${threshold}))::int`;
    const sides = (threshold: number): string =>
      `jsonb_build_object('before', ${atLeast('previous_score', threshold)}, 'after', ${atLeast('trust_score', threshold)})`;
    const { rows } = await client.query<PolicySwitch>(
      `SELECT a.previous_policy AS "previousPolicy", a.position::text AS position, count(s.agent_id)::int AS agents,
         (count(*) FILTER (WHERE s.trust_score <> s.previous_score))::int AS moved,
         ${sides(trustedScoreMin)} AS trusted, ${sides(cautionScoreMin)} AS caution
       FROM (SELECT position, previous_policy FROM ${readModelSchema}.trust_policy_activation ORDER BY ordinal DESC LIMIT 1) a
       LEFT JOIN ${readModelSchema}.trust_policy_switch s USING (position) GROUP BY a.position, a.previous_policy`,
    );
    return rows[0] ?? null;
  });
}

const whole = (value: number): string => value.toLocaleString('en');

/** The summary for people. */
export function summaryLines(policy: string, summary: PolicySwitch): string[] {
  return [
    `Trust policy ${policy} is in force from position ${summary.position} on, after ${summary.previousPolicy}.`,
    `${whole(summary.moved)} of ${whole(summary.agents)} scores changed. At ${trustedScoreMin} or above: ${whole(summary.trusted.before)} agents before, ${whole(summary.trusted.after)} now; at ${cautionScoreMin} or above: ${whole(summary.caution.before)} before, ${whole(summary.caution.after)} now.`,
  ];
}

import { quoteIdentifier, readModelTypes } from '@agent-trust/projections';
import { type AnyTrustPolicy, canonicalPolicy, parsePolicy, policyV1 } from '@agent-trust/trust-policy';
import type { ClientBase } from 'pg';

/** The policies that a read model is built for, in the order in which the log puts them in force: the built-in one first, the current one last. */
export type PolicyPlan = readonly AnyTrustPolicy[];

/** The plan of a log in which nobody has chosen a policy. */
export const builtInPlan: PolicyPlan = [policyV1];

/** The policy of the current scores. */
export function currentPolicy(plan: PolicyPlan): AnyTrustPolicy {
  const [last] = plan.slice(-1);
  if (last === undefined) throw new Error('a plan has one policy at least');
  return last;
}

/** A policy that is not the current one: its evidence is carried on until the activation with this ordinal has ended it for good. */
export type FormerPolicy = { policy: AnyTrustPolicy; endedBy: number };

/** The former policies of a plan, each once, however often it was in force. */
export function formerPolicies(plan: PolicyPlan): readonly FormerPolicy[] {
  const { name: current } = currentPolicy(plan);
  const former = new Map<string, FormerPolicy>();
  plan.forEach((policy, ordinal) => {
    if (policy.name !== current) former.set(policy.name, { policy, endedBy: ordinal + 1 });
  });
  return [...former.values()];
}

/** Whether two plans have the same policies in the same order. */
export function isSamePlan(a: PolicyPlan, b: PolicyPlan): boolean {
  return JSON.stringify(a.map(canonicalPolicy)) === JSON.stringify(b.map(canonicalPolicy));
}

/** The plan that the schema which a connection works in was built for. */
export async function readPlan(client: ClientBase): Promise<PolicyPlan> {
  return planOf(client, 'trust_policy_plan');
}

/** The plan of a schema by its name; the built-in one where the schema is not there, or is older than plans. */
export async function readPlanOf(client: ClientBase, schema: string): Promise<PolicyPlan> {
  const table = `${quoteIdentifier(schema)}.trust_policy_plan`;
  const { rows } = await client.query<{ known: boolean }>('SELECT to_regclass($1) IS NOT NULL AS known', [table]);
  return rows[0]?.known === true ? planOf(client, table) : builtInPlan;
}

const planOf = async (client: ClientBase, table: string): Promise<PolicyPlan> => {
  const { rows } = await client.query<{ policy: unknown }>({
    text: `SELECT policy FROM ${table} ORDER BY ordinal`,
    types: readModelTypes,
  });
  return [policyV1, ...rows.map(({ policy }) => parsePolicy(policy))];
};

/** Writes down what a schema is about to be built for. What an interrupted beginning may have left goes. */
export async function writePlan(client: ClientBase, plan: PolicyPlan): Promise<void> {
  const rows = plan.slice(1).map((policy, index) => ({ ordinal: index + 1, trust_policy: policy.name, policy }));
  await client.query(
    `WITH gone AS (DELETE FROM trust_policy_plan WHERE ordinal >= $2::int)
     INSERT INTO trust_policy_plan (ordinal, trust_policy, policy)
     SELECT ordinal, trust_policy, policy FROM jsonb_to_recordset($1::jsonb) AS p(ordinal int, trust_policy text, policy jsonb)
     ON CONFLICT (ordinal) DO UPDATE SET trust_policy = EXCLUDED.trust_policy, policy = EXCLUDED.policy`,
    [JSON.stringify(rows), plan.length],
  );
}

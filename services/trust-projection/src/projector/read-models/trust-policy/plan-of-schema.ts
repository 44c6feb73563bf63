import { quoteIdentifier, readModelTypes } from '@agent-trust/projections';
import { parsePolicy, policyV1 } from '@agent-trust/trust-policy';
import type { ClientBase } from 'pg';
import { builtInPlan, type PolicyPlan } from './policy-plan.ts';

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

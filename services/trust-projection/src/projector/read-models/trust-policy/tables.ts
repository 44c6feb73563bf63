import { defineTable } from '@agent-trust/projections';

/** Of each schema: what it was built for. No projection writes it. */
export const trustPolicyPlanTable = 'trust_policy_plan';

/** The activation with this ordinal has been met. */
export const trustPolicyActivations = defineTable({
  name: 'trust_policy_activation',
  columns: {
    ordinal: 'integer',
    trustPolicy: 'text',
    previousPolicy: 'text',
    position: 'bigint',
    at: 'timestamptz',
    eventId: 'text',
  },
  key: ['ordinal'],
});

/** An agent's score by both policies when one followed the other. Written for all agents at once: see switch-statements.ts. */
export const trustPolicySwitches = defineTable({
  name: 'trust_policy_switch',
  columns: {
    agentId: 'text',
    position: 'bigint',
    previousPolicy: 'text',
    previousScore: 'integer',
    previousUnrounded: 'double precision',
    trustPolicy: 'text',
    trustScore: 'integer',
    unrounded: 'double precision',
  },
  key: ['agentId', 'position'],
  appendOnly: true,
});

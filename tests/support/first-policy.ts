/** Most tests state figures of policy v1. A registry that begins as every new one does is played by tests/e2e/first-start.test.ts. */
export const beginsWithV1 = { TRUST_POLICY_AT_FIRST_START: 'v1' } as const;

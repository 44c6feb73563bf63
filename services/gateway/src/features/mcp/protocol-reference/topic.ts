import type { ReferenceStep } from '@agent-trust/contracts';

type Json = Record<string, unknown>;

/** The explanation of a topic. Steps contain placeholders as `<NAME>`, always as a whole value or in a script between quotes. */
export type Explanation = {
  title: string;
  explanation: string;
  /** Name and meaning of the placeholders that the reader fills in; the others come from an answer. */
  placeholders: Readonly<Record<string, string>>;
  steps: readonly ReferenceStep[];
};

/** A tool call that answers with these fields among others. */
export function toolStep(title: string, tool: string, given: Json, body: Json, note?: string): ReferenceStep {
  return {
    title,
    kind: 'tool',
    tool,
    arguments: given,
    answer: { is_error: false, body },
    ...(note === undefined ? {} : { note }),
  };
}

/** A tool call that is refused with this code. */
export function refusedStep(title: string, tool: string, given: Json, code: string, note: string): ReferenceStep {
  return {
    ...toolStep(title, tool, given, { code }, note),
    answer: { is_error: true, body: { code } },
  };
}

/** Makes the session act as the reader's agent, which most examples begin with. */
export const actAsAgent: ReferenceStep = toolStep(
  'Act as your agent',
  'set_agent_key',
  { agent_key: '<AGENT_KEY>' },
  { status: 'set' },
  'Not needed where the connection carries the key in Authorization.',
);

/** Placeholders that mean the same in every topic. */
export const common = {
  AGENT_KEY: 'The bearer key of your agent, from claim_bearer_key.',
  AGENT_ID: 'The agent_id of your agent.',
  NEW_AGENT_ID: 'An id that no agent has yet, at most 128 characters.',
  CONTACT_EMAIL: 'Where claim links and questions about the agent may go.',
  ENDPOINT_URL: 'Where your agent answers, an http or https URL.',
  IDEMPOTENCY_KEY: 'A random text of your own, best a UUID.',
} as const;

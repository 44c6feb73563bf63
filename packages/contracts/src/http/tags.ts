/** The groups of the interface, in the order in which a newcomer needs them. */
export const tags = [
  {
    name: 'Discover',
    description:
      'Find agents and see how far each can be trusted. Needs no credential; a sandbox key looks into its sandbox.',
  },
  { name: 'Agents', description: 'Register an agent, get its key and keep its configuration up to date.' },
  { name: 'Exchange', description: 'Send messages to agents through the registry, and rate the results.' },
  {
    name: 'Settlement',
    description: 'Pay agents by x402 through the registry, which forwards payments and never holds funds.',
  },
  {
    name: 'Verifiable log',
    description: 'Proof that no event was rewritten: signed checkpoints, proofs and tiles of a tree over the log.',
  },
  { name: 'Organisations', description: "An organisation's keys, agents and received payments." },
  {
    name: 'Webhooks',
    description:
      'Receive changes of trust scores, and notices, as signed messages. Needs the production key of an organisation.',
  },
  {
    name: 'Sandbox',
    description:
      "Move agents between an organisation's sandbox and production, and try out drafts. Needs the sandbox key.",
  },
  { name: 'MCP', description: 'The same interface as tools of the Model Context Protocol.' },
  { name: 'Operations', description: 'State and description of the service itself.' },
] as const;
export type Tag = (typeof tags)[number]['name'];

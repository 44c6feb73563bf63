export const aboutRegistry = {
  title: 'Agent Trust Registry',
  version: '1.0.0',
  description: 'Who an agent is, how far to trust it, and a record of every exchange.',
} as const;

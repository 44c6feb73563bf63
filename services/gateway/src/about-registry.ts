import { registryVersion } from '@agent-trust/service-kit';

export const aboutRegistry = {
  title: 'Agent Trust Registry',
  version: registryVersion,
  description: 'Who an agent is, how far to trust it, and a record of every exchange.',
} as const;

import { readFileSync } from 'node:fs';
import { limits } from '@agent-trust/contracts';
import { expect, it } from 'vitest';
import { mcpLimits } from './limits.ts';

const page = readFileSync(new URL('../../../../../docs/mcp.md', import.meta.url), 'utf8').replaceAll(/\s+/gu, ' ');

it.each([
  `| ${mcpLimits.batchMax} |`,
  `| ${mcpLimits.nestingMax} |`,
  `| ${limits.bodyMembersMax.toLocaleString('en')} |`,
  `| ${mcpLimits.requests.ownerMax} |`,
  `| ${mcpLimits.streamsPerSessionMax} |`,
  `| ${mcpLimits.streamsPerAddressMax}; ${mcpLimits.streamsAtOnceMax.toLocaleString('en')} |`,
  `| ${mcpLimits.streamWaitingBytesMax / 2 ** 20} MiB; ${mcpLimits.waitingBytesMax / 2 ** 20} MiB |`,
  `| ${mcpLimits.stallMs / 1_000} seconds |`,
  `| ${mcpLimits.sessionsPerAddressMax.toLocaleString('en')}; one that was idle for ${mcpLimits.sessionYieldsMs / 60_000} minutes`,
  `${mcpLimits.sessionBucketBytesMax / 2 ** 20} MiB of sealed records`,
  `used it for ${mcpLimits.sessionIdleMs / 60_000} minutes`,
  `fetched for ${mcpLimits.eventLifetimeMs / 60_000} minutes`,
  `comment every ${mcpLimits.keepAliveMs / 1_000} seconds`,
])('docs/mcp.md states the actual limit: %s', (stated) => {
  expect(page).toContain(stated);
});

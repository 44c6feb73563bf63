/**
 * Bug: a page for operators has a command that does not work, because nothing ever ran it. Each command is run by a test, or the manual lists it
 * as not run, with what it would need.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocksOf, commandsOf, manual, notRun, operatingPages, pasted } from '../support/operating-pages.ts';

const root = resolve(import.meta.dirname, '../..');

/** Commands that another test runs with other arguments: how they begin, the test, and what of it starts the same program. */
const runElsewhere: readonly { page: string; begins: string; test: string; starts: string }[] = [
  {
    page: 'traces.md',
    begins: 'OTEL_EXPORTER_OTLP_ENDPOINT=',
    test: 'tests/e2e/traces.test.ts',
    starts: 'traceparent',
  },
  {
    page: 'kubernetes.md',
    begins: 'node infra/kubernetes/make-secrets.mjs',
    test: 'tests/contract/chart-secrets.test.ts',
    starts: 'make-secrets.mjs',
  },
  {
    page: 'containers.md',
    begins: 'node infra/docker/make-env.mjs',
    test: 'packages/dev-stack/src/deployment.test.ts',
    starts: 'make-env.mjs',
  },
  {
    page: 'containers.md',
    begins: 'sh infra/eventstoredb/make-certificates.sh',
    test: 'tests/contract/event-log-certificates.test.ts',
    starts: 'make-certificates.sh',
  },
  {
    page: 'runbook.md',
    begins: 'agent-trust ops webhooks',
    test: 'tests/e2e/operator-webhooks.test.ts',
    starts: "'ops', 'webhooks'",
  },
  {
    page: 'eventstoredb.md',
    begins: 'EVENTSTOREDB_ADDRESS=',
    test: 'tests/contract/event-log-users.test.ts',
    starts: 'set-up-users.mjs',
  },
  {
    page: 'event-log-rights.md',
    begins: 'EVENT_LOG_OWNER_URL=',
    test: 'packages/event-log/src/postgres/rights.integration.test.ts',
    starts: 'log-roles',
  },
  {
    page: 'policies.md',
    begins: 'agent-trust ops policy',
    test: 'tests/e2e/cli-operations.test.ts',
    starts: "'ops', 'policy', 'activate'",
  },
  { page: 'audit.md', begins: 'agent-trust events', test: 'tests/e2e/cli-audit.test.ts', starts: "'events'" },
  {
    page: 'private-registry.md',
    begins: 'PUBLIC_READS=',
    test: 'tests/e2e/private-registry.test.ts',
    starts: 'PUBLIC_READS',
  },
  {
    page: 'secrets.md',
    begins: 'npm run secrets:rewrap',
    test: 'tests/chaos/rotated-secrets.test.ts',
    starts: 'secrets-rewrap.ts',
  },
  {
    page: 'secrets.md',
    begins: 'PERSONAL_DATA_OWNER_URL=',
    test: 'tests/chaos/rotated-secrets.test.ts',
    starts: 'secrets-rewrap.ts',
  },
  {
    page: 'backup.md',
    begins: 'DATABASE_URL=',
    test: 'services/trust-projection/src/tools/backup/own-servers.integration.test.ts',
    starts: 'main.ts',
  },
  {
    page: 'retention.md',
    begins: 'npm run archive',
    test: 'services/trust-projection/src/tools/archive/main.integration.test.ts',
    starts: 'main.ts',
  },
  {
    page: 'older-log.md',
    begins: 'npm run log:accept',
    test: 'tests/chaos/older-log.test.ts',
    starts: 'log-accept/main.ts',
  },
];

const listed = notRun();
const pages = operatingPages().filter((page) => page !== manual);

describe.each(pages)('docs/%s', (page) => {
  it('has no command that nothing runs and the manual does not list', () => {
    const open = blocksOf(page)
      .filter((block) => !pasted.some(([at, begins]) => at === page && block.startsWith(begins)))
      .flatMap(commandsOf)
      .filter((command) => !listed.some((one) => one.page === page && command.startsWith(one.command)))
      .filter((command) => !runElsewhere.some((one) => one.page === page && command.startsWith(one.begins)));
    expect(open).toEqual([]);
  });
});

it('lists only commands that the pages have', () => {
  const commands = (page: string): string[] => blocksOf(page).flatMap(commandsOf);
  const gone = [...listed, ...runElsewhere.map(({ page, begins }) => ({ page, command: begins }))].filter(
    ({ page, command }) => !commands(page).some((one) => one.startsWith(command)),
  );
  expect(gone).toEqual([]);
  expect(listed.length).toBeGreaterThan(10);
});

it.each(runElsewhere)('$test runs what docs/$page says: $begins', ({ test, starts }) => {
  expect(readFileSync(join(root, test), 'utf8')).toContain(starts);
});

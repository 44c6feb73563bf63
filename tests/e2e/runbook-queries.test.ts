/** Bug: in an incident, a query of the runbook names a table or a column that is not there. Method: each is run as it stands, against a running registry. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { blocksOf, commandsOf } from '../support/operating-pages.ts';
import { stack } from '../support/ask.ts';

const queries = blocksOf('runbook.md')
  .flatMap(commandsOf)
  .filter((command) => command.startsWith('psql "$DATABASE_URL"'));
/** Debian and Ubuntu: apt-get install postgresql-client. */
const hasPsql = spawnSync('psql', ['--version']).status === 0;

it('are there', () => expect(queries.length).toBeGreaterThan(0));

it.skipIf(!hasPsql).each(queries)('%s', (command) => {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], DATABASE_URL: stack.readModelsUrl },
  });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/\(\d+ rows?\)/u);
});

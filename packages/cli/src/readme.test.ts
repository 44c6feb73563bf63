/** Bug: a README with other steps or exit codes than the program. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commandTable } from './command-table.ts';
import { exitCodeMeanings } from './exit-codes.ts';
import { gettingStartedSteps } from './program/help-text.ts';

const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');

it('shows the getting-started steps of the help', () => {
  for (const run of Object.values(gettingStartedSteps)) expect(readme).toContain(`\n${run}\n`);
});

it('lists every exit code', () => {
  for (const [code, meaning] of exitCodeMeanings) expect(readme).toContain(`| ${code} | ${meaning} |`);
});

it('names every command', () => {
  for (const { name } of commandTable) expect(readme).toMatch(new RegExp(`\`${name}[\` ]`, 'u'));
});

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const read = (page: string): string => readFileSync(join(root, 'docs', page), 'utf8');

/** The page that is followed from top to bottom. */
export const manual = 'operations.md';
/** The heading of its list of what nothing runs. */
const notRunHeading = '## What no test runs';

/** The blocks of shell commands on a page, in their order. */
export function blocksOf(page: string): string[] {
  return [...read(page).matchAll(/^( *)```sh\n([^]*?)^ *```$/gmu)].map(([, indent = '', text = '']) =>
    text.replaceAll(new RegExp(`^${indent}`, 'gmu'), ''),
  );
}

/** The pages that docs/README.md lists for operators. */
export function operatingPages(): string[] {
  const chapter = read('README.md').split('## Operating the registry')[1]?.split('\n## ')[0] ?? '';
  return [...new Set([...chapter.matchAll(/\]\(([\w-]+\.md)\)/gu)].map(([, page = '']) => page))];
}

/** The commands of a block: one for each line, with continued lines joined, without comments. */
export function commandsOf(block: string): string[] {
  return block
    .replaceAll(/<<'END'\n[^]*?\nEND$/gmu, '')
    .replaceAll(/(\\|\|)\n\s*/gu, (_line, end: string) => (end === '|' ? '| ' : ''))
    .split('\n')
    .map((line) => line.replace(/(^|\s)# .*$/u, '').trim())
    .filter((line) => line !== '');
}

export type NotRun = { page: string; command: string };

/** The beginnings of commands that the manual lists as not run, by page. */
export function notRun(): NotRun[] {
  const table = read(manual).split(notRunHeading)[1] ?? '';
  return [...table.matchAll(/^\| \[[^\]]+\]\(([\w-]+\.md)\) \| (.*?) \| .* \|$/gmu)].flatMap(
    ([, page = '', commands = '']) =>
      [...commands.matchAll(/`([^`]+)`/gu)].map(([, command = '']) => ({ page, command })),
  );
}

/** Blocks of other pages that `tests/chaos/operations-manual.test.ts` pastes beside the manual's registry: page, and what the block begins with. */
export const pasted: readonly (readonly [page: string, begins: string])[] = [
  ['observability.md', 'promtool check config'],
  ['runbook.md', 'REGISTRY=http://localhost:8080'],
  ['runbook.md', 'curl -s "$REGISTRY/ops/events'],
  ['operator.md', 'ADMIN_TOKEN=$(node'],
  ['operator.md', 'agent-trust ops status'],
  ['operator.md', 'agent-trust ops replay'],
  ['operator.md', 'curl -s -X POST localhost:8080/ops/agents/$AGENT/suspend'],
  ['operator.md', 'curl -s -X POST localhost:8080/ops/reviews/void'],
  ['personal-data.md', 'ADMIN_TOKEN=$(node'],
  ['secrets.md', 'npm run secrets:rotate -- --name PERSONAL_DATA_KEY'],
  ['secrets.md', 'node -p'],
  ['backup.md', 'npm run backup -- --to /backup/2026-11-24'],
  ['backup.md', 'npm run backup -- --to /backup/2026-11-25'],
  ['upgrades.md', 'curl -sf localhost:8080/log/checkpoint'],
  ['upgrades.md', 'agent-trust ops status'],
  ['operators.md', 'export AGENT_TRUST_ADMIN_TOKEN'],
];

/** The block of a page that begins with these words. @throws Error if none does, or several */
export function blockOf(page: string, begins: string): string {
  const [block, ...more] = blocksOf(page).filter((text) => text.startsWith(begins));
  if (block === undefined || more.length > 0)
    throw new Error(
      `docs/${page} has ${block === undefined ? 'no block' : 'several blocks'} that begin with ${begins}`,
    );
  return block;
}

/** Bugs: two options of one name, one of which is ignored; a command without help. */
import { describe, expect, it } from 'vitest';
import { commandTable } from '../command-table.ts';
import type { Command } from './command.ts';
import { globalOptions } from './global-options.ts';
import { commandHelp } from './help-text.ts';

const all: Command[] = (await Promise.all(commandTable.map(({ load }) => load()))).flat();
const spellings = (command: Pick<Command, 'options'>): string[] =>
  Object.values(command.options).flatMap(({ flags }) => flags.match(/(?<=^|\s)--?[\w-]+/gu) ?? []);

describe('every command', () => {
  it('has no option with the name of a global one', () => {
    for (const command of all) {
      const names = [
        ...spellings(command),
        ...spellings({ options: globalOptions }),
        '--help',
        '-h',
        '--version',
        '-V',
      ];
      expect([command.path, names.filter((name, at) => names.indexOf(name) !== at)]).toEqual([command.path, []]);
    }
  });

  it('has a description, and an example unless it only reverts another command', () => {
    const silent = all.filter(({ examples }) => Object.keys(examples).length === 0).map(({ path }) => path.join(' '));
    expect(silent).toEqual(['org sandbox-key revoke', 'config forget']);
    const inGroups = all.filter(({ path }) => path.length > 1);
    for (const { summary } of [...commandTable, ...inGroups]) expect(summary).toMatch(/^[A-Z].*\.$/u);
  });

  it('is listed under the word that loads it', async () => {
    for (const { name, load } of commandTable) for (const { path } of await load()) expect(path[0]).toBe(name);
  });

  it('takes optional arguments last', () => {
    for (const command of all) {
      const optional = command.arguments.map((argument) => argument.optional === true);
      const firstOptional = optional.indexOf(true);
      expect([command.path, firstOptional === -1 ? [] : optional.slice(firstOptional).filter((one) => !one)]).toEqual([
        command.path,
        [],
      ]);
    }
  });
});

it('a deprecated command says so in its help', () => {
  const [first] = all;
  if (first === undefined) throw new Error('there are no commands');
  const deprecated = { since: '2026-11-24', sunset: '2027-06-01', instead: 'agent-trust verify.' };
  const said = 'Deprecated since 2026-11-24, and may be gone from 2027-06-01 on: agent-trust verify.';
  expect(commandHelp({ ...first, deprecated })).toContain(said);
  expect(commandHelp(first)).not.toContain('Deprecated');
});

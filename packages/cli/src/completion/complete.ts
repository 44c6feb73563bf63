import { commandTable } from '../command-table.ts';
import type { Io } from '../io.ts';
import type { Command } from '../program/command.ts';
import { globalOptions } from '../program/global-options.ts';
import type { OptionOf, ValueSource } from '../program/option.ts';
import { configPath, readConfig } from '../settings/config-file.ts';

/** Suggestions for an incomplete word. `files`: the shell's own file names. */
type Offer = { words: string[]; files: boolean };

/** The saved settings, for ids and profiles; empty if they cannot be read. */
export type Saved = { agents: readonly string[]; profiles: readonly string[] };

type Known = { option: OptionOf<unknown>; long: string; short: string | undefined; takesValue: boolean };

const known = (option: OptionOf<unknown>): Known => ({
  option,
  long: /--[\w-]+/u.exec(option.flags)?.[0] ?? '',
  short: /(?:^|\s)(-\w)\b/u.exec(option.flags)?.[1],
  takesValue: option.parse !== undefined,
});

/** Words that need no quoting in any shell; an agent may choose other ids. */
const isPlain = (word: string): boolean => /^[\w@%+./-]{1,128}$/u.test(word) && !word.startsWith('-');

const offerOf = (values: ValueSource | undefined, saved: Saved): Offer => {
  if (values === 'file') return { words: [], files: true };
  if (values === 'agent') return { words: saved.agents.filter(isPlain), files: false };
  if (values === 'profile') return { words: saved.profiles.filter(isPlain), files: false };
  return { words: values === undefined || values === 'nothing' ? [] : [...values], files: false };
};

const beginning = ({ words, files }: Offer, word: string): Offer => ({
  words: words.filter((one) => one.startsWith(word)),
  files,
});

/** Suggestions for the last of `words`, which may be empty; the words before it are as typed, without `agent-trust`. */
export async function complete(words: readonly string[], saved: Saved): Promise<Offer> {
  const globals = Object.values(globalOptions).map(known);
  let options = globals;
  let group: readonly Command[] = [];
  let depth = 0;
  let command: Command | undefined;
  let positionals = 0;
  /** The option whose value comes next. */
  let waiting: Known | undefined;
  let onlyArguments = false;
  for (const word of words.slice(0, -1)) {
    if (waiting !== undefined) waiting = undefined;
    else if (word === '--') onlyArguments = true;
    else if (word.startsWith('-') && word !== '-' && !onlyArguments)
      waiting = options.find(({ long, short, takesValue }) => takesValue && (word === long || word === short));
    else if (command !== undefined) positionals += 1;
    else {
      const at = depth;
      group =
        at === 0
          ? ((await commandTable.find(({ name }) => name === word)?.load()) ?? [])
          : group.filter(({ path }) => path[at] === word);
      depth += 1;
      command = group.find(({ path }) => path.length === at + 1);
      if (command !== undefined) options = [...Object.values(command.options).map(known), ...globals];
    }
  }

  const word = words.at(-1) ?? '';
  if (waiting !== undefined) return beginning(offerOf(waiting.option.values, saved), word);
  const [, name, value = ''] = /^(--[\w-]+)=(.*)$/su.exec(word) ?? [];
  if (name !== undefined && !onlyArguments) {
    const option = options.find(({ long }) => long === name);
    const offer = beginning(offerOf(option?.option.values, saved), value);
    return { ...offer, words: offer.words.map((one) => `${name}=${one}`) };
  }
  if (word.startsWith('-') && !onlyArguments)
    return beginning({ words: [...new Set([...options.map(({ long }) => long), '--help'])], files: false }, word);
  if (command !== undefined) {
    const last = command.arguments.at(-1);
    const argument = command.arguments[positionals] ?? (last?.repeats === true ? last : undefined);
    return beginning(offerOf(argument?.values, saved), word);
  }
  const next = depth === 0 ? commandTable.map((entry) => entry.name) : group.map(({ path }) => path[depth] ?? '');
  return beginning({ words: [...new Set(next)], files: false }, word);
}

const savedIn = (io: Pick<Io, 'env'>): Saved => {
  try {
    const { profiles } = readConfig(configPath(io.env));
    return {
      profiles: Object.keys(profiles),
      agents: [...new Set(Object.values(profiles).flatMap(({ agents }) => Object.keys(agents ?? {})))],
    };
  } catch {
    // A shell cannot show an error about a file during completion.
    return { profiles: [], agents: [] };
  }
};

/** Answers a shell: `__complete -- <words>`; the last word is incomplete. */
export async function answerShell(args: readonly string[], io: Pick<Io, 'env' | 'stdout'>): Promise<void> {
  const { words, files } = await complete(args[0] === '--' ? args.slice(1) : args, savedIn(io));
  for (const word of files ? [':files'] : words) io.stdout.write(`${word}\n`);
}

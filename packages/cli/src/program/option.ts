import { UsageError } from '../errors.ts';
import type { Output } from '../output/output.ts';

/** What a shell offers for a value. */
export type ValueSource = 'file' | 'agent' | 'profile' | 'nothing' | readonly string[];

/** One option of a command and the parser of its text. `Value` is what the command gets; undefined if the option was not given. */
export type OptionOf<Value> = {
  /** In commander's form: `-l, --limit <number>`. */
  flags: string;
  description: string;
  /** Undefined for a flag. */
  parse?: (text: string) => unknown;
  repeats?: boolean;
  values: ValueSource;
  readonly valueType?: Value;
};

export type OptionValues<Options extends Record<string, OptionOf<unknown>>> = {
  [Name in keyof Options]: Options[Name] extends OptionOf<infer Value> ? Value | undefined : never;
};

export function flag(flags: string, description: string): OptionOf<boolean> {
  return { flags, description, values: 'nothing' };
}

export function text(flags: string, description: string, values: ValueSource = 'nothing'): OptionOf<string> {
  return { flags, description, parse: (value) => value, values };
}

/** May be given several times; all values in the order given. */
const repeated = <Value>(option: OptionOf<Value>): OptionOf<Value[]> => {
  const { flags, description, values, parse } = option;
  return { flags, description: `${description} (repeatable)`, values, repeats: true, ...given({ parse }) };
};

export function texts(flags: string, description: string, values: ValueSource = 'nothing'): OptionOf<string[]> {
  return repeated(text(flags, description, values));
}

export function integer(flags: string, description: string, min: number, max: number): OptionOf<number> {
  return {
    flags,
    description,
    parse: (value) => {
      const number = Number(value);
      if (!/^-?\d+$/u.test(value) || number < min || number > max)
        throw new UsageError(`must be a whole number from ${min} to ${max}`);
      return number;
    },
    values: 'nothing',
  };
}

export function choice<const Choice extends string>(
  flags: string,
  description: string,
  choices: readonly Choice[],
): OptionOf<Choice> {
  return {
    flags,
    description: `${description}: ${choices.join(', ')}`,
    parse: (value) => {
      if (!(choices as readonly string[]).includes(value)) throw new UsageError(`must be one of ${choices.join(', ')}`);
      return value;
    },
    values: choices,
  };
}

export function choices<const Choice extends string>(
  flags: string,
  description: string,
  allowed: readonly Choice[],
): OptionOf<Choice[]> {
  return repeated(choice(flags, description, allowed));
}

/** `--limit` and `--offset` of a list. */
export function limit(max: number): OptionOf<number> {
  return integer('--limit <number>', `at most this many, up to ${max}`, 1, max);
}
export function offset(): OptionOf<number> {
  return integer('--offset <number>', 'skip this many', 0, Number.MAX_SAFE_INTEGER);
}

/** Says how to get the next page of a list, if there is one. */
export function noteNext(
  { next, total }: { next?: { offset?: number } | null; total?: number | null },
  items: string,
  out: Pick<Output, 'note'>,
  further = '',
): void {
  if (next != null) out.note(`${total ?? 'More'}${items} in all: continue with --offset ${next.offset ?? 0}${further}`);
}

export function given<Values extends object>(
  values: Values,
): { [Name in keyof Values]?: Exclude<Values[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Values]?: Exclude<Values[Name], undefined>;
  };
}

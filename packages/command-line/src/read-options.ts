import { type ParseArgsConfig, parseArgs } from 'node:util';

/** What a command was given is wrong; nothing was read or written. */
export class ArgumentsError extends Error {
  override readonly name = 'ArgumentsError';
}

export type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<Given extends Options> = ReturnType<typeof parseArgs<{ args: string[]; options: Given; tokens: true }>>;
export type OptionValues<Given extends Options> = Parsed<Given>['values'];

/**
 * The options of a command line. An option that is given twice is refused, unless it may be given several times: the command would silently
 * ignore one of two files. So is an empty value, which an unset variable of a shell leaves.
 *
 * @throws ArgumentsError
 */
export function readOptions<const Given extends Options>(
  given: readonly string[],
  options: Given,
): OptionValues<Given> {
  // pnpm passes its own separator on.
  const args = given.filter((argument) => argument !== '--');
  let parsed;
  try {
    parsed = parseArgs<{ args: string[]; options: Given; tokens: true }>({ args, options, tokens: true });
  } catch (error) {
    throw new ArgumentsError(error instanceof Error ? error.message : String(error), { cause: error });
  }
  const seen = new Set<string>();
  for (const token of parsed.tokens) {
    if (token.kind !== 'option') continue;
    if (token.value === '') throw new ArgumentsError(`--${token.name} needs a value.`);
    if (seen.has(token.name) && options[token.name]?.multiple !== true) {
      throw new ArgumentsError(`--${token.name} may be given only once.`);
    }
    seen.add(token.name);
  }
  return parsed.values;
}

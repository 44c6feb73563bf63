import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ArgumentsError } from './arguments-error.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<Given extends Options> = ReturnType<typeof parseArgs<{ args: string[]; options: Given; tokens: true }>>;

/**
 * The options of a command line. One that is given twice is refused, unless it may be given several times: of two files to be verified
 * one would be passed over without a word.
 *
 * @throws ArgumentsError
 */
export function readOptions<const Given extends Options>(
  given: readonly string[],
  options: Given,
): Parsed<Given>['values'] {
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
    if (token.kind !== 'option' || options[token.name]?.multiple === true) continue;
    if (seen.has(token.name)) throw new ArgumentsError(`--${token.name} may be given only once.`);
    seen.add(token.name);
  }
  return parsed.values;
}

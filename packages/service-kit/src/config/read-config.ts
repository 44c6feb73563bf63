import type { z } from 'zod';

/** Shorter texts (`1`, `true`) may occur in the words of a fault by chance, so they are not redacted. */
const blottedCharactersMin = 6;

export type SettingFault = { name: string; problem: string };

/** The environment does not match the schema. `message` lists every fault and no value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly SettingFault[];

  constructor(faults: readonly SettingFault[]) {
    const lines = faults.map((fault) => `  ${fault.name} ${fault.problem}`);
    super(
      [faults.length === 1 ? 'One setting is wrong:' : `${faults.length} settings are wrong:`, ...lines].join('\n'),
    );
    this.faults = faults;
  }
}

/**
 * Reads the settings that `schema` names from the environment. An empty variable counts as unset.
 *
 * @throws {ConfigError} with every fault, each with the name, the problem and what is allowed. Values are never repeated: any of them may be a
 *   secret, also one in the wrong variable.
 */
export function readConfig<Schema extends z.ZodObject>(
  schema: Schema,
  env: NodeJS.ProcessEnv = process.env,
): Readonly<z.output<Schema>> {
  const given: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const value = env[name];
    if (value !== undefined && value.trim() !== '') given[name] = value;
  }
  const result = schema.safeParse(given);
  if (result.success) return Object.freeze(result.data);
  throw new ConfigError(result.error.issues.map((issue) => toFault(issue, given)));
}

const toFault = (issue: z.core.$ZodIssue, given: Record<string, string>): SettingFault => {
  const name = issue.path.length === 0 ? 'The settings' : String(issue.path[0]);
  const values = Object.values(given).filter((value) => value.length >= blottedCharactersMin);
  return { name, problem: values.reduce((problem, value) => problem.replaceAll(value, '…'), issue.message) };
};

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StackError } from './stack-error.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'infra', 'nats');
const usersBegin = '    users: [\n';

/**
 * Writes the bus's configuration with one more user, the process that has started the stack. nats-server can include a file in a block, but not in a
 * list, and the configuration of other installations has no such user: whoever had its password could sign in. Passwords stay in the environment.
 * @throws StackError if the copy of the project lacks the configuration
 */
export function writeNatsConfig(file: string): void {
  const [config, supervisor] = ['nats.conf', 'supervisor-user.conf'].map(read) as [string, string];
  if (config.split(usersBegin).length !== 2) throw new Error(`${folder}/nats.conf has no list of users of its own`);
  writeFileSync(
    file,
    config.replace(usersBegin, () => usersBegin + supervisor),
  );
}

const read = (name: string): string => {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch (error) {
    throw new StackError(`${join(folder, name)} is missing: get a complete copy of the project`, { cause: error });
  }
};

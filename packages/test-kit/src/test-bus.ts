import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

/** How many buses a run can use; each is an account of the run's nats-server. */
export const busesMax = 1_000;

/** A bus for one test, on the run's nats-server. */
export interface TestBus {
  readonly url: string;
  /** Does nothing: a bus ends with the run. */
  readonly stop: () => Promise<void>;
}

/**
 * Takes a NATS account that no other test has: it sees no subject, stream or bucket of another test. Tests that stop or restart the server start one
 * of their own.
 */
export function createTestBus(): TestBus {
  const { url, folder } = inject('natsAccounts');
  for (let account = 0; account < busesMax; account += 1) {
    try {
      mkdirSync(join(folder, String(account)));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    return { url: url.replace('//', `//${account}:test@`), stop: () => Promise.resolve() };
  }
  throw new Error(`the tests of this run have used all ${busesMax} accounts of their nats-server`);
}

/** Configuration of a nats-server with these accounts, and one more for connections without a name. */
export function natsAccountsConfig(): string {
  const names = ['open', ...Array.from({ length: busesMax }, (_, account) => String(account))];
  const accounts = names.map((name) => `T${name} { jetstream: enabled, users: [{ user: "${name}", password: test }] }`);
  return `accounts {\n${accounts.join('\n')}\n}\nno_auth_user: open\n`;
}

/** `npm run secrets:rewrap`: wraps the keys of personal data with the current PERSONAL_DATA_KEY, so that the previous one is needed no more. */
import { ArgumentsError, complain, runCommand, say } from '@agent-trust/command-line';
import { rewrapKeys, RewrapInProgressError } from '../key-store/rewrap.ts';
import { wrappingKeyOf } from '../sealing/agent-key.ts';

const exitCode = { done: 0, failed: 1, remain: 3, inProgress: 4, stopped: 130 } as const;
const progressEveryMs = 1_000;
const secretCharactersMin = 32;

/** @throws ArgumentsError */
const secretOf = (name: string): string | undefined => {
  const value = process.env[name]?.trim() ?? '';
  if (value === '') return undefined;
  if (value.length >= secretCharactersMin) return value;
  throw new ArgumentsError(`${name} has ${value.length} characters; it needs at least ${secretCharactersMin}.`);
};

await runCommand({
  usage: `Usage: npm run secrets:rewrap

Wraps every stored key of personal data with PERSONAL_DATA_KEY. Keys that PERSONAL_DATA_KEY_PREVIOUS has wrapped are opened with that one.
The registry may run; agents may be registered and erased meanwhile. A run that was stopped is continued by the next one.

Reads from the environment, else from the development stack that runs on DATA_DIR:
  PERSONAL_DATA_KEY            what the services have
  PERSONAL_DATA_KEY_PREVIOUS   what they had before
  PERSONAL_DATA_OWNER_URL      the database, as the owner of the table personal_data.agent_key: no service may change a key

Exit codes: 0 every key is wrapped by PERSONAL_DATA_KEY; 1 failed; 2 wrong arguments or settings; 3 keys remain under another value;
4 another run is in progress; 130 stopped.`,
  options: {},
  stopped: 'Stopped. Run this again to go on.',
  exitCodeOf: (error) => (error instanceof RewrapInProgressError ? exitCode.inProgress : exitCode.failed),
  run: async (_values, signal) => {
    const secret = secretOf('PERSONAL_DATA_KEY');
    const ownerUrl = process.env['PERSONAL_DATA_OWNER_URL'] ?? '';
    if (secret === undefined || ownerUrl === '')
      throw new ArgumentsError(
        'PERSONAL_DATA_KEY and PERSONAL_DATA_OWNER_URL are both needed: set them, or start the development stack, which has them.',
      );
    const wrappingKey = wrappingKeyOf(secret, secretOf('PERSONAL_DATA_KEY_PREVIOUS'));
    let reportedAt = performance.now();
    const onProgress = (done: number, of: number): void => {
      if (performance.now() - reportedAt < progressEveryMs) return;
      reportedAt = performance.now();
      complain(`${done} of ${of} keys wrapped anew…`);
    };
    const { total, rewrapped, remaining, unreadable } = await rewrapKeys(ownerUrl, wrappingKey, {
      onProgress,
      onWait: (kept) =>
        complain(
          `${kept} rows as they were before may still be read by a transaction that began earlier; waiting for its end…`,
        ),
      signal,
    });
    say(
      `${rewrapped} of ${total} keys were wrapped anew; ${remaining} remain under another value of PERSONAL_DATA_KEY.`,
    );
    if (signal.aborted) throw new Error('stopped');
    if (unreadable.length > 0)
      complain(
        `Neither PERSONAL_DATA_KEY nor PERSONAL_DATA_KEY_PREVIOUS opens ${unreadable.join(', ')}${remaining > unreadable.length ? ' and perhaps others' : ''}: set PERSONAL_DATA_KEY_PREVIOUS to the value that wrapped them, and run this again.`,
      );
    else if (remaining > 0)
      complain(
        'A service still wraps with another value: give every one of them the current value, and run this again.',
      );
    else say('PERSONAL_DATA_KEY_PREVIOUS can be removed now: no key needs it.');
    return remaining === 0 ? exitCode.done : exitCode.remain;
  },
});

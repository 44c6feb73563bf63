/** `npm run secrets:rotate`: gives a secret of the stack's data folder a new value, and keeps the present one as the previous one. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ArgumentsError, complain, runCommand, say } from '@agent-trust/command-line';
import { readSecrets, writeSecrets } from '../data-folder.ts';
import { endedNameOf, endOverlap, nextSteps, rotateSecret } from '../rotate-secret.ts';

await runCommand({
  usage: `Usage: npm run secrets:rotate -- --name <secret> [--end]

Gives a secret in DATA_DIR/secrets.json a new random value, which counts from the next start of the stack. The present value becomes
<secret>_PREVIOUS, which is still accepted, where the secret may have two values. docs/secrets.md says what each secret is for.
  --name <secret>   such as WEBHOOK_SECRET
  --end             removes the previous value instead

No value is printed. Exit codes: 0 done; 1 refused, nothing was changed; 2 wrong arguments.`,
  options: { name: { type: 'string' }, end: { type: 'boolean' } },
  run: ({ name, end }) => {
    if (name === undefined) throw new ArgumentsError('--name is missing');
    const file = join(resolve(process.env['DATA_DIR'] || '.data'), 'secrets.json');
    if (!existsSync(file))
      throw new ArgumentsError(`${file} does not exist: npm start makes it, or DATA_DIR names another folder`);
    const secrets = readSecrets(file);
    const now = new Date();
    writeSecrets(file, end === true ? endOverlap(secrets, name, now) : rotateSecret(secrets, name));
    if (process.env[name])
      complain(`The environment sets ${name}, too, which counts instead of the file: change it there as well.`);
    const endedName = endedNameOf(name, now);
    if (end === true) {
      say(`${name}_PREVIOUS was removed from ${file}. Restart the stack.`);
      if (endedName !== null)
        say(
          `Its value stays there as ${endedName}, which nothing reads: without it, backups of the keys from before cannot be read. Remove it together with them.`,
        );
    } else [`${name} has a new value in ${file}.`, ...nextSteps(name)].forEach((line) => say(line));
    return 0;
  },
});

import type { CapabilityConfirmationRequired } from '@agent-trust/client';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { safeLine } from '../output/safe-text.ts';
import type { Context } from '../program/context.ts';

/** A word for a POSIX shell, quoted where it needs to be. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Lists the capabilities to confirm, and the options that confirm them. */
export function askToConfirm(asked: CapabilityConfirmationRequired, context: Context): ExitCode {
  const { out } = context;
  context.answer(asked, () => {
    out.line(
      'Nothing was written yet: these capabilities are close to others. Repeat the command with an answer for each:',
    );
    for (const [submitted, close] of Object.entries(asked.candidates)) {
      const canonical = asked.candidate_matches[submitted] ?? close[0]?.name ?? '';
      out.line(`  ${out.paint('bold', safeLine(submitted))}`);
      out.line(`    is ${safeLine(canonical)}:  --same-capability ${safeLine(shellWord(`${submitted}=${canonical}`))}`);
      for (const { name } of close.filter((one) => one.name !== canonical))
        out.line(`    is ${safeLine(name)}:  --same-capability ${safeLine(shellWord(`${submitted}=${name}`))}`);
      out.line(`    is none of them:  --new-capability ${safeLine(shellWord(submitted))}`);
    }
  });
  return exitCodes.confirmationRequired;
}

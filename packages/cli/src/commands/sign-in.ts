import { UsageError } from '../errors.ts';
import { timeText } from '../output/agent-view.ts';
import { safeLine } from '../output/safe-text.ts';
import { ask, type Command, command } from '../program/command.ts';
import { text } from '../program/option.ts';
import { isRole, roles } from './operator-keys.ts';

/** `agent-trust ops sign-in` */
export const signInCommand: Command = command({
  path: ['ops', 'sign-in'],
  summary: 'Print a link that signs one browser tab of the console in, once.',
  description:
    'Needs the role operator. The tab gets a key of its own for some hours, with at most your role; it is recorded under a name that begins with yours. ' +
    'Whoever has the link before you open it can use it in your place: do not send it on.',
  options: { role: text('--role <role>', 'what the tab may do: viewer, operator (default) or admin', roles) },
  examples: { 'Open the console': 'agent-trust ops sign-in --admin-token-file .data/secrets.json' },
  run: async ({ options: { role }, context }) => {
    if (role !== undefined && !isRole(role)) throw new UsageError(`--role takes ${roles.join(', ')}`);
    await ask(
      context,
      ['admin'],
      ({ ops }, asked) => ops.createSignInCode(role === undefined ? {} : { role }, asked),
      (made, out) => {
        out.line(safeLine(made.link));
        out.note(safeLine(`It works once, until ${timeText(made.expires_at)}, and signs in as ${made.role}.`));
      },
    );
  },
});

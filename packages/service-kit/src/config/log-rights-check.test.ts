import { expect, it } from 'vitest';
import { logRightsCheck } from './base-settings.ts';

it.each([
  ['production', false, true, 'warn'],
  ['production', true, false, 'warn'],
  ['development', false, false, 'info'],
  [undefined, false, false, 'info'],
])(
  'with NODE_ENV %s and ALLOW_EXCESS_LOG_RIGHTS %s, refuses excess: %s, and says it as %s',
  (env, allowed, refuses, level) => {
    const lines: string[] = [];
    const say = (at: string) => (_: object, line: string) => void lines.push(`${at}: ${line}`);
    const logger = { warn: say('warn'), info: say('info') };
    const { use, refusesExcess, sayExcess } = logRightsCheck(
      'append',
      { NODE_ENV: env, ALLOW_EXCESS_LOG_RIGHTS: allowed },
      logger,
    );
    sayExcess('more');
    expect([use, refusesExcess, lines]).toEqual(['append', refuses, [`${level}: more`]]);
  },
);

import { describe, expect, test } from 'vitest';
import { EventLogSetupError } from '../errors.ts';
import { judgeRights, type RightsFault } from './report.ts';

const excess = (right: string): RightsFault => ({ kind: 'excess', right, mend: `REVOKE ${right}` });
const judge = (faults: RightsFault[], refusesExcess: boolean): string[] => {
  const said: string[] = [];
  judgeRights({ user: 'u', faults }, { use: 'append', refusesExcess, sayExcess: (line) => said.push(line) });
  return said;
};

describe('the rights of a user', () => {
  test('that are exact are no matter', () => {
    expect([judge([], true), judge([], false)]).toEqual([[], []]);
  });

  test('that are missing are refused everywhere, also beside others in excess', () => {
    const faults: RightsFault[] = [excess('UPDATE'), { kind: 'missing', right: 'USAGE', mend: 'GRANT USAGE' }];
    for (const refusesExcess of [true, false]) {
      expect(() => judge(faults, refusesExcess)).toThrow(EventLogSetupError);
      expect(() => judge(faults, refusesExcess)).toThrow(/lacks USAGE, .* To mend it: GRANT USAGE\.$/u);
    }
  });

  test('that are in excess are refused or said, in one line of bounded length', () => {
    const faults = Array.from({ length: 40 }, (_, n) => excess(`RIGHT_${n}`));
    expect(judge(faults, false)).toEqual([
      'the user u of EVENT_LOG_URL may do more than this service needs: RIGHT_0, RIGHT_1, RIGHT_2, RIGHT_3, and 36 more',
    ]);
    expect(() => judge(faults, true)).toThrow(/REVOKE RIGHT_3; and 36 more\. Or set ALLOW_EXCESS_LOG_RIGHTS=true\.$/u);
  });
});

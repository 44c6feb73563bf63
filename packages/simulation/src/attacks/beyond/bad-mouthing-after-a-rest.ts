import { DAY_MS } from '../../registry/time.ts';
import type { Attack } from '../attack.ts';
import { badMouthed } from '../bad-mouthing.ts';

const restDays = 91;

/** Once all honest reviews are too old to be recent, the recent evidence is the attacker's alone. */
export const badMouthingAfterARest: Attack = {
  name: 'bad-mouthing-after-a-rest',
  title: `Bad-mouthing of an agent that nobody has reviewed for ${restDays} days`,
  control: null,
  steps: 'reviews',
  marks: [],
  beyondTheTable: true,
  run: (newScoring, random) => {
    const { scores, fall } = badMouthed(newScoring(), random, restDays * DAY_MS);
    return { figures: [{ label: 'fall', value: fall, gate: null }], tracks: [{ label: 'target', scores }] };
  },
};

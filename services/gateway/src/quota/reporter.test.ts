import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Ledger } from './ledger.ts';
import { createReporter } from './reporter.ts';

const request = { orgId: 'o', universe: 'production', kind: 'registrations' } as const;

// Bug: two reports are under way at a time, so that one is sent twice and its grants are taken twice: more is admitted than the limit allows.
it('sends one report at a time, also when the next is asked for just as the last one ends', async () => {
  const ledger = new Ledger();
  const sent: number[] = [];
  let [underWay, underWayMost] = [0, 0];
  const reporter = createReporter(ledger, async ({ sequence }) => {
    sent.push(sequence);
    underWay += 1;
    underWayMost = Math.max(underWayMost, underWay);
    await turn();
    underWay -= 1;
    return { granted: [] };
  });
  const settle = (): Promise<void> => {
    ledger.add(request, 0);
    return reporter.settle();
  };
  const first = settle();
  // Of all who wait for a report the first to go on asks again, while the others' report has not begun.
  const waiting = [first.then(settle), settle(), settle(), first.then(settle).then(settle)];
  await Promise.all(waiting);
  await settle();
  expect(underWayMost).toBe(1);
  expect(sent).toEqual([...new Set(sent)]);
});

import { waitFor } from '@agent-trust/test-kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReadModel, Upkeep } from './projection.ts';
import { replayReadModel } from './replay/replay.ts';
import { type Runner, startRunner } from './runner.ts';
import { accounts, appendHistory, type BankEvent, bankReadModel } from './testing/bank.ts';
import { createFixture, type Fixture } from './testing/fixture.ts';
import { turns } from './upkeep.ts';

/*
 * Bug: a row that upkeep has removed comes back from the runner's memory with the next event, a failing step stops the read model, a step
 * comes between the statements of a batch, or a replay has the row again.
 * Method: a bank that forgets an account, all of whose events the runner holds in memory.
 */
let fixture: Fixture;
let runner: Runner | null = null;
beforeEach(async () => {
  fixture = await createFixture();
});
afterEach(async () => {
  await runner?.stop();
  runner = null;
  await fixture.close();
});

const forgotten = `DELETE FROM account WHERE account_id = 'account 0'`;
const bank = async (upkeep: Upkeep): Promise<ReadModel<BankEvent>> => ({ ...(await bankReadModel()), upkeep });
const follow = async (readModel: ReadModel<BankEvent>): Promise<void> => {
  const { connection, log } = fixture;
  runner = startRunner({ connection, schema: 'read_models', log, readModel, standbyPollMs: 20 });
};
const reach = (position: bigint): Promise<boolean> => waitFor(() => runner?.status().position === position);
const depositsOf = async (accountId: string): Promise<number | undefined> =>
  (
    await fixture.query<{ deposits: number }>('SELECT deposits FROM read_models.account WHERE account_id = $1', [
      accountId,
    ])
  )[0]?.deposits;

describe('the upkeep of a read model', () => {
  it('removes rows that later events find gone', async () => {
    let isDue = false;
    await follow(
      await bank({
        tables: [accounts],
        step: async (client) => {
          if (!isDue) return 1;
          isDue = false;
          await client.query(forgotten);
          return 1;
        },
        repeat: () => Promise.resolve(),
      }),
    );
    await reach(await appendHistory(fixture.log, 0, 80));
    expect(await depositsOf('account 0')).toBeGreaterThan(2);
    isDue = true;
    await waitFor(async () => (await depositsOf('account 0')) === undefined);
    // A deposit to account 0 and to others, from memory where nothing was forgotten.
    const others = await depositsOf('account 2');
    await reach(await appendHistory(fixture.log, 91, 7));
    expect(await depositsOf('account 0')).toBe(1);
    expect(await depositsOf('account 2')).toBeGreaterThan(others ?? 0);
  });

  it('repeats in a replay what was done to the live rows, without which they differ', async () => {
    const repeats: string[] = [];
    const repeating: Upkeep = {
      tables: [accounts],
      step: null,
      repeat: async (client, live) => {
        repeats.push(live);
        await client.query(forgotten);
      },
    };
    await follow(await bank(repeating));
    await reach(await appendHistory(fixture.log, 0, 80));
    await runner?.stop();
    await fixture.query(`DELETE FROM read_models.account WHERE account_id = 'account 0'`);
    const { connection, log } = fixture;
    const replay = async (readModel: ReadModel<BankEvent>) =>
      replayReadModel({ connection, schema: 'read_models', log, readModel });
    expect(await replay(await bankReadModel())).toMatchObject({ comparison: { rowsDiffering: 1 }, switched: false });
    expect(await replay(await bank(repeating))).toMatchObject({ comparison: { rowsDiffering: 0 }, switched: true });
    expect(repeats).toEqual(['read_models']);
  });

  it('of which a step fails is tried again and stops nothing', async () => {
    let steps = 0;
    await follow(
      await bank({
        tables: [accounts],
        step: async (client) => {
          steps += 1;
          await client.query('SELECT 1 / 0');
          return 1;
        },
        repeat: () => Promise.resolve(),
      }),
    );
    await waitFor(() => steps > 0);
    await reach(await appendHistory(fixture.log, 0, 80));
    expect(runner?.status()).toMatchObject({ state: 'active', error: null });
  });
});

describe('turns', () => {
  it('never overlap, and a failed one does not stop the next', async () => {
    const inTurn = turns();
    const seen: string[] = [];
    const work = (name: string) => async (): Promise<string> => {
      seen.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(`${name} ends`);
      if (name === 'second') throw new Error(name);
      return name;
    };
    const all = await Promise.allSettled(['first', 'second', 'third'].map((name) => inTurn(work(name))));
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(seen).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });
});

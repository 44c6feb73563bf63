import { callWaitsMs } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { inTurn, shortMessageBytesMax, type TurnWait } from './in-turn.ts';

const wait = (over: Partial<TurnWait> = {}): TurnWait => ({
  callerAgentId: 'caller',
  signal: new AbortController().signal,
  waitMsMax: callWaitsMs.messageTurn,
  ...over,
});
const busyFor = (ms: number): void => {
  const endsAt = performance.now() + ms;
  while (performance.now() < endsAt);
};
const long = new Uint8Array(shortMessageBytesMax + 1);
const short = new Uint8Array(shortMessageBytesMax);

it('lets timers run between long messages, in the order in which they came', async () => {
  const seen: string[] = [];
  const every = setInterval(() => seen.push('timer'), 1);
  const work = (name: string) => () => {
    seen.push(name);
    busyFor(5);
  };
  await Promise.all(['a', 'b', 'c'].map((name) => inTurn(long, wait(), work(name))));
  clearInterval(every);
  expect(seen.filter((name) => name !== 'timer')).toEqual(['a', 'b', 'c']);
  expect(seen.join(' ')).toMatch(/a (timer )+b (timer )+c/u);
});

it('goes on after a message that is refused', async () => {
  const refused = inTurn(long, wait(), () => {
    throw new Error('refused');
  });
  const next = inTurn(long, wait(), () => 'next');
  await expect(refused).rejects.toThrow('refused');
  expect(await next).toBe('next');
});

it('lets short messages pass by', async () => {
  const seen: string[] = [];
  await Promise.all([inTurn(long, wait(), () => seen.push('long')), inTurn(short, wait(), () => seen.push('short'))]);
  expect(seen).toEqual(['short', 'long']);
});

// Bug meant: a call that nobody waits for any more is made ready all the same, a second or two each, and holds up those behind it.
describe('whoever waits', () => {
  it('is not served when it has left, and holds up nobody', async () => {
    const seen: string[] = [];
    const leaving = new AbortController();
    const first = inTurn(long, wait(), () => {
      seen.push('first');
      leaving.abort(new Error('left'));
    });
    const left = inTurn(long, wait({ signal: leaving.signal }), () => seen.push('left'));
    const next = inTurn(long, wait(), () => seen.push('next'));
    await expect(left).rejects.toThrow('left');
    await Promise.all([first, next]);
    expect(seen).toEqual(['first', 'next']);
  });

  it.each([long, short])('is not served when it had left before', async (message) => {
    const served = inTurn(message, wait({ signal: AbortSignal.abort(new Error('left')) }), () => 'served');
    await expect(served).rejects.toThrow('left');
    expect(await inTurn(long, wait(), () => 'next')).toBe('next');
  });

  it('is not served when it leaves while its turn comes', async () => {
    const leaving = new AbortController();
    const served = inTurn(long, wait({ signal: leaving.signal }), () => 'served');
    leaving.abort(new Error('left'));
    await expect(served).rejects.toThrow('left');
    expect(await inTurn(long, wait(), () => 'next')).toBe('next');
  });

  it('is told so when it has waited too long', async () => {
    const first = inTurn(long, wait(), () => busyFor(30));
    const late = inTurn(long, wait({ waitMsMax: 10 }), () => 'late');
    const patient = inTurn(long, wait(), () => 'patient');
    await expect(late).rejects.toMatchObject({ code: 'overloaded' });
    await first;
    expect(await patient).toBe('patient');
  });

  it('waits for one message of each other caller at most', async () => {
    const seen: string[] = [];
    const send = (callerAgentId: string, name: string): Promise<number> =>
      inTurn(long, wait({ callerAgentId }), () => seen.push(name));
    const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'];
    const all = await inTurn(long, wait(), () => names.map((name) => send(name.charAt(0), name)));
    await Promise.all(all);
    expect(seen).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });
});

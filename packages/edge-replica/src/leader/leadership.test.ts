import { describe, expect, it } from 'vitest';
import { at } from '../testing/clocks.ts';
import { Leadership } from './leadership.ts';

const tookLock = (ms: number, predecessorIsGone = false): Leadership =>
  new Leadership({ sentAt: at(ms), answeredAt: at(ms + 5) }, predecessorIsGone);

describe('leading is a lease (rule 9)', () => {
  it('lasts M from the sending of the last check that found the lock held', () => {
    const leadership = tookLock(0);
    expect([leadership.leads(at(599)), leadership.leads(at(600))]).toEqual([true, false]);
    leadership.confirmed(at(400));
    expect([leadership.leads(at(999)), leadership.leads(at(1_000))]).toEqual([true, false]);
  });

  it('is not shortened by a check that was sent earlier and answered later', () => {
    const leadership = tookLock(0);
    leadership.confirmed(at(400));
    leadership.confirmed(at(200));
    expect(leadership.leads(at(999))).toBe(true);
  });

  it('is over when the machine slept, and for good when the session is gone', () => {
    const leadership = tookLock(0);
    expect([leadership.leads(at(10, 50)), leadership.leads(at(10, 51)), leadership.leads(at(10, -51))]).toEqual([
      true,
      false,
      false,
    ]);
    leadership.end();
    leadership.confirmed(at(20));
    expect(leadership.leads(at(21))).toBe(false);
  });
});

describe('takeover (rule 10)', () => {
  const leadingAt = (leadership: Leadership, ms: number): Leadership => {
    leadership.confirmed(at(ms));
    return leadership;
  };

  it('opens M × 1.25 and L × 1.25 after the lock was taken, and when the end of the log is visible', () => {
    const leadership = tookLock(0);
    leadership.headWasRead(7n, at(755));
    expect(leadingAt(leadership, 1_500).mayOpen(7n, at(1_504))).toBe(false);
    expect(leadership.mayOpen(7n, at(1_505))).toBe(true);
    expect(leadership.mayOpen(6n, at(1_505))).toBe(false);
  });

  it('does not count an end of the log that was asked for while the predecessor may lead', () => {
    const leadership = tookLock(0);
    leadership.headWasRead(7n, at(754));
    expect(leadingAt(leadership, 1_500).mayOpen(7n, at(1_505))).toBe(false);
    leadership.headWasRead(9n, at(1_505));
    expect([leadership.mayOpen(7n, at(1_506)), leadership.mayOpen(9n, at(1_506))]).toEqual([false, true]);
  });

  it('waits for nobody if the predecessor let go of the lock without members', () => {
    const leadership = tookLock(0, true);
    expect(leadership.mayOpen(7n, at(6))).toBe(false);
    leadership.headWasRead(7n, at(6));
    expect(leadership.mayOpen(7n, at(6))).toBe(true);
  });

  it('does not open without leading', () => {
    const leadership = tookLock(0);
    leadership.headWasRead(7n, at(1_600));
    expect(leadership.mayOpen(7n, at(1_600))).toBe(false);
  });
});

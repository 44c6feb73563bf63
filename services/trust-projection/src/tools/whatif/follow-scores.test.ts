/* Bugs: a chart ends before the score that the list shows, leaves out a step, or grows with the log; a fan-out of a record is no step. */
import { policyV1, policyV2 } from '@agent-trust/trust-policy';
import { describe, expect, test } from 'vitest';
import type { ProjectedRegistryEvent } from '../../projector/read-models/registry-event.ts';
import { agentEvent } from '../../testing/made-changes.ts';
import { agentRegistered, exchangeReviewed, type MadeEvent } from '../../testing/made-events.ts';
import { followScores } from './follow-scores.ts';

const other = { ...policyV1, name: 'other', constants: { ...policyV1.constants, strength: 10 } };
const at = (position: number): string => new Date(position * 60_000).toISOString();

/** An event at a position of the log. */
const placed = ({ stream, event }: MadeEvent, position: number): ProjectedRegistryEvent => ({
  ...event,
  stream,
  eventId: `event-${position}`,
  revision: 0n,
  position: BigInt(position),
  recordedAt: new Date(position * 1_000),
  actor: null,
});
const registered = (agentId: string, position: number, orgId: string | null = null): ProjectedRegistryEvent =>
  placed(agentRegistered({ agentId, orgId, verified: orgId !== null }, at(position)), position);
const reviewed = (
  receiverAgentId: string,
  position: number,
  score: number,
  by: { agentId: string; orgId: string | null } = { agentId: `reviewer-${position}`, orgId: null },
): ProjectedRegistryEvent =>
  placed(
    exchangeReviewed(
      { transactionId: `exchange-${position}`, callerAgentId: by.agentId, receiverAgentId },
      at(position),
      {
        success: score > 5,
        score,
        trustScore: 80,
        orgId: by.orgId,
        orgDomain: null,
        roots: { [`root-${position}.test`]: 1 },
      },
    ),
    position,
  );

/** The logs of these tests may have voided reviews. */
const hasVoided = true;

describe('followScores', () => {
  test('has a point for each change of a score, by both policies, and none for others', () => {
    const { follow, historyOf } = followScores(
      new Set(['a']),
      { from: policyV1, to: other },
      { pointsMax: 10, hasVoided },
    );
    follow(registered('a', 1));
    follow(registered('b', 2));
    follow(reviewed('a', 3, 10));
    follow(reviewed('b', 4, 10));
    const { points, isThinned } = historyOf('a');
    expect(points.map(({ position }) => position)).toEqual([1n, 3n]);
    expect(points[0]).toMatchObject({ from: 40, to: 40, at: new Date(1_000) });
    expect(points[1]?.from).toBeGreaterThan(points[1]?.to ?? 100);
    expect(isThinned).toBe(false);
    expect(historyOf('b').points).toEqual([]);
    const voided = { agentId: 'a', transactionIds: ['exchange-3'], reason: 'made up', voidedAt: at(5) };
    follow(placed(agentEvent('ReviewsVoided', voided), 5));
    expect(historyOf('a').points.at(-1)).toMatchObject({ position: 5n, from: 40, to: 40 });
  });

  test("has a point where the record of an agent's organisation changes, by the policy that has records", () => {
    const { follow, historyOf } = followScores(
      new Set(['calm']),
      { from: policyV1, to: policyV2 },
      { pointsMax: 10, hasVoided },
    );
    follow(registered('calm', 1, 'zeta'));
    follow(registered('bad', 2, 'zeta'));
    for (const [index, orgId] of ['alpha', 'beta', 'gamma'].entries()) {
      follow(registered(`of-${orgId}`, 3 + index, orgId));
    }
    follow(reviewed('bad', 6, 1, { agentId: 'of-alpha', orgId: 'alpha' }));
    follow(reviewed('bad', 7, 1, { agentId: 'of-beta', orgId: 'beta' }));
    follow(reviewed('bad', 8, 1, { agentId: 'of-gamma', orgId: 'gamma' }));
    const { points } = historyOf('calm');
    expect(points[0]).toMatchObject({ position: 1n, from: 75, to: 75 });
    expect(points.length).toBeGreaterThan(1);
    expect(points.every(({ from }) => from === 75)).toBe(true);
    expect(points.at(-1)?.to).toBeLessThan(75);
  });

  test('keeps a bounded number, the first and the last of them', () => {
    const { follow, historyOf } = followScores(
      new Set(['a']),
      { from: policyV1, to: other },
      { pointsMax: 7, hasVoided },
    );
    follow(registered('a', 1));
    for (let number = 2; number < 400; number += 1) follow(reviewed('a', number, number % 2 === 0 ? 10 : 1));
    const { points, isThinned } = historyOf('a');
    expect(isThinned).toBe(true);
    expect(points.length).toBeLessThanOrEqual(7);
    expect(points[0]?.position).toBe(1n);
    expect(points.map(({ position }) => position)).toEqual(
      points.map(({ position }) => position).toSorted((a, b) => Number(a - b)),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DomainError, type AgentEvent } from '@agent-trust/contracts';
import { fold } from '../decider.ts';
import {
  adminKey,
  atSecond,
  issueClaimCommand,
  orgKey,
  redeemClaimCommand,
  registerAgentCommand,
  someHash,
  updateAgentCommand,
  updateCredentials,
} from '../testing/index.ts';
import { pendingClaimsMax } from './pending-claims.ts';
import type { AgentCommand, PairClone } from './commands.ts';
import { agentDecider } from './decider.ts';
import type { AgentState } from './state.ts';

/*
 * Bug class: a rule that holds for each command alone and breaks for some order of them.
 * Method: random commands with few distinct tokens and domains, so that collisions are frequent; the resulting events are folded, and
 * the laws of the stream are checked on the whole history.
 */
const hash = fc.integer({ min: 1, max: 6 }).map(someHash);
const seconds = fc.integer({ min: 0, max: 30 });
const revision = fc.integer({ min: 0, max: 3 });
const cloneId = fc.constantFrom('draft-1', 'draft-2', 'draft-3');
const command: fc.Arbitrary<AgentCommand> = fc.oneof(
  fc
    .record({ claimTokenHash: hash, revision, credential: fc.constantFrom(orgKey(), adminKey()), ttl: seconds })
    .map(({ claimTokenHash, revision: held, credential, ttl }) =>
      registerAgentCommand({
        claimTokenHash,
        credential,
        orgDomain: 'acme.example',
        reservation: { domain: 'acme.example', revision: held },
        claimTtlSeconds: ttl,
      }),
    ),
  fc
    .record({
      claimTokenHash: hash,
      authority: fc.constantFrom({ kind: 'admin' } as const, { kind: 'uncredentialed', unownedOnly: false } as const),
      claimTtlSeconds: seconds,
    })
    .map(issueClaimCommand),
  fc.record({ claimTokenHash: hash, newKeyHash: hash }).map(redeemClaimCommand),
  fc
    .record({ cloneAgentId: cloneId, voidCloneId: fc.option(cloneId) })
    .map((ids) => ({ type: 'PairClone', agentId: 'agent-1', orgId: 'org-1', ...ids, now: atSecond(0) }) as const),
  fc
    .record({ orgDomain: fc.constantFrom('acme.example', 'other.example', null), held: revision, left: revision })
    .map(({ orgDomain, held, left }) =>
      updateAgentCommand({
        credentials: updateCredentials({ admin: true }),
        orgDomain,
        reservation: orgDomain === null ? null : { domain: orgDomain, revision: held },
        leaving: { domain: 'acme.example', revision: left },
      }),
    ),
  revision.map(
    (reservationRevision) =>
      ({
        type: 'LapseOrgDomainReservation',
        agentId: 'agent-1',
        domain: 'acme.example',
        reservationRevision,
        now: atSecond(0),
      }) as const,
  ),
);

const decideOrNothing = (next: AgentCommand, state: AgentState): AgentEvent[] => {
  try {
    return agentDecider.decide(next, state);
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
};

const play = (commands: readonly AgentCommand[]): { history: AgentEvent[]; state: AgentState } => {
  const history: AgentEvent[] = [];
  let state = agentDecider.initialState;
  for (const [index, next] of commands.entries()) {
    const decided = decideOrNothing({ ...next, now: atSecond(index) }, state);
    history.push(...decided);
    state = fold(agentDecider, decided, state);
  }
  return { history, state };
};

describe('any sequence of commands to one agent', () => {
  it('folds without a fault, and from the start to the same state as step by step', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        const { history, state } = play(commands);
        expect(fold(agentDecider, history)).toEqual(state);
      }),
    );
  });

  it('registers at most once, and uses a separate claim for each new key', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        const { history } = play(commands);
        expect(history.filter(({ type }) => type === 'AgentRegistered').length).toBeLessThanOrEqual(1);
        const open: string[] = [];
        for (const event of history) {
          if (event.type === 'ClaimIssued') open.push(event.data.claimTokenHash);
          if (event.type !== 'KeyRotated') continue;
          const paid = open.indexOf(event.data.claimTokenHash ?? '');
          expect(paid).toBeGreaterThanOrEqual(0);
          open.splice(paid, 1);
        }
      }),
    );
  });

  it('reserves the place for one clone, and reassigns it only after it was declared void', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        const pairings = commands.filter((one) => one.type === 'PairClone');
        const places = play(commands).history.flatMap((event) =>
          event.type === 'ClonePaired' ? [event.data.relatedAgentId] : [],
        );
        for (const [index, holder] of places.entries()) {
          const next = places[index + 1];
          const isAllowed = ({ cloneAgentId, voidCloneId }: PairClone) =>
            cloneAgentId === next && voidCloneId === holder;
          expect(next === undefined || pairings.some(isAllowed)).toBe(true);
        }
      }),
    );
  });

  it('never declares a reservation void for a domain that the agent has', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        const { history } = play(commands);
        let state = agentDecider.initialState;
        for (const event of history) {
          const domain = state.kind === 'registered' ? state.orgDomain : null;
          expect(event.type === 'OrgDomainReservationLapsed' && event.data.domain === domain).toBe(false);
          state = fold(agentDecider, [event], state);
        }
      }),
    );
  });

  it('keeps the pending claims within their limit', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 100 }), (commands) => {
        const { state } = play(commands);
        const pending = state.kind === 'registered' ? state.pendingClaims.length : 0;
        expect(pending).toBeLessThanOrEqual(2 * pendingClaimsMax);
      }),
    );
  });
});

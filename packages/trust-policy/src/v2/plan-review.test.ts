import { describe, expect, it } from 'vitest';
import { policyV2 } from '../policy/trust-policy-v2.ts';
import { viewOfEntries } from './direct/direct-view.ts';
import { planReview, type ReviewPlan } from './plan-review.ts';
import { rulesOfV2 } from './rules.ts';

const rules = rulesOfV2(policyV2);

/** What a bad review does to an unaffiliated agent that some have praised once each, and whose nature was asked for. */
const disappoint = (
  praising: readonly string[],
  organisation: string | null = null,
): { plan: ReviewPlan; asked: readonly (readonly string[])[] } => {
  const asked: (readonly string[])[] = [];
  const praise = praising.map((root) => ({
    reviewedAt: 0,
    reviewer: `${root}-agent`,
    roots: { [root]: 1 },
    trust: 80,
    success: true,
    score: 10,
    own: { organisation: root, isEstablished: true },
  }));
  const plan = planReview(
    {
      review: {
        id: 'bad',
        receiver: 'receiver',
        reviewer: {
          agent: 'reviewer',
          organisation: 'elsewhere',
          orgDomain: null,
          trust: 80,
          roots: { elsewhere: 1 },
        },
        reviewedAt: 1,
        success: false,
        score: 1,
        inProduction: true,
      },
      receiver: { organisation, base: 40, view: () => viewOfEntries(praise, rules) },
      isEstablished: true,
      organisationOf: (root) => root,
      organisationsAmong: (roots) => {
        asked.push(roots);
        return new Set(roots.filter((root) => !root.includes('.')));
      },
    },
    rules,
  );
  return { plan, asked };
};

const answering = ({ additions }: ReviewPlan): string[] =>
  additions.flatMap(({ subject, answers }) => (answers === null ? [] : [subject.id]));

// Bug: each of very many roots is looked up, in the read models by a round trip, though each has too small a share to answer.
describe('who answers for an agent', () => {
  it('is an organisation that has raised much of it; all are asked for at once', () => {
    const { plan, asked } = disappoint(['acme', 'bolt', 'c.test']);
    expect(answering(plan)).toEqual(['acme', 'bolt']);
    expect(asked).toEqual([['acme', 'bolt', 'c.test']]);
  });

  it('is nobody among many, of whom none is asked for', () => {
    const { plan, asked } = disappoint(Array.from({ length: 10 }, (_, index) => `org${index}`));
    expect(answering(plan)).toEqual([]);
    expect(asked.flat()).toEqual([]);
  });

  // What a review costs is bounded by this: one addition each, besides those to the agent, the record and the standing record.
  it('is six organisations at most', () => {
    const raisedBy = (count: number): string[] => Array.from({ length: count }, (_, index) => `org${index}`);
    expect(answering(disappoint(raisedBy(6)).plan)).toEqual(raisedBy(6));
    expect(disappoint(raisedBy(6), 'adopter').plan.additions).toHaveLength(6 + 3);
    expect(answering(disappoint(raisedBy(7)).plan)).toEqual([]);
  });

  it('is not the organisation of the agent, which is in its record anyway', () => {
    expect(answering(disappoint(['acme', 'adopter'], 'adopter').plan)).toEqual(['acme']);
  });

  it('is not the organisation of the reviewer', () => {
    const { plan, asked } = disappoint(['acme', 'elsewhere']);
    expect(answering(plan)).toEqual(['acme']);
    expect(asked).toEqual([['acme']]);
  });
});

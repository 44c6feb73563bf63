import { describe, expect, it } from 'vitest';
import { exchangeDecider } from './decider.ts';
import {
  exchangeCompleted,
  exchangeReviewed,
  exchangeStarted,
  givenFor,
  reviewCommand,
  sandboxOf,
  someReceiver,
  someReviewer,
} from '../testing/index.ts';

const given = givenFor(exchangeDecider);
const done = [exchangeStarted(), exchangeCompleted()];

describe('rule A: a reviewer needs 50', () => {
  it.each([50, 75, 100])('%i is enough', (trustScore) => {
    const reviewer = someReviewer({ trustScore });
    const { orgId, orgDomain, roots, asOf } = reviewer;
    given(done)
      .when(reviewCommand({ reviewer }))
      .then([exchangeReviewed({ reviewer: { orgId, orgDomain, trustScore, roots, asOf } })]);
  });

  it.each([49, 40, 0])('%i is not', (trustScore) => {
    given(done)
      .when(reviewCommand({ reviewer: someReviewer({ trustScore }) }))
      .thenRefused('caller_trust_too_low');
  });
});

describe('rule B: no reviews inside an organisation', () => {
  const inSandbox = { universe: sandboxOf('org-1') };
  const sandboxed = [exchangeStarted(inSandbox), exchangeCompleted(inSandbox)];
  const reviewerIn = someReviewer({ ...inSandbox, orgDomain: 'acme.example' });

  it('one org_domain, also in the sandbox', () => {
    given(done)
      .when(reviewCommand({ receiver: someReceiver({ orgDomain: 'acme.example' }) }))
      .thenRefused('same_org_domain');
    given(sandboxed)
      .when(
        reviewCommand({ reviewer: reviewerIn, receiver: someReceiver({ ...inSandbox, orgDomain: 'acme.example' }) }),
      )
      .thenRefused('same_org_domain');
  });

  it('one organisation, in production only', () => {
    given(done)
      .when(reviewCommand({ receiver: someReceiver({ orgId: 'org-1', orgDomain: null }) }))
      .thenRefused('same_org_domain');
    given(sandboxed)
      .when(reviewCommand({ reviewer: reviewerIn, receiver: someReceiver({ ...inSandbox, orgId: 'org-1' }) }))
      .then([exchangeReviewed(inSandbox)]);
  });

  it('two agents without organisation have none in common', () => {
    const none = { orgId: null, orgDomain: null };
    given(done)
      .when(reviewCommand({ reviewer: someReviewer({ ...none, roots: {} }), receiver: someReceiver(none) }))
      .then([exchangeReviewed({ reviewer: { ...none, trustScore: 75, roots: {}, asOf: '7' } })]);
  });
});

describe('rule C: one review per exchange', () => {
  it('an ended exchange can be reviewed once, however it ended', () => {
    given(done).when(reviewCommand()).then([exchangeReviewed()]);
    given([...done, exchangeReviewed()])
      .when(reviewCommand())
      .thenRefused('already_reviewed');
  });

  it('an exchange under way, or an unknown one, cannot be reviewed', () => {
    given([exchangeStarted()]).when(reviewCommand()).thenRefused('no_unreviewed_exchange');
    given([]).when(reviewCommand()).thenRefused('no_unreviewed_exchange');
  });

  it('an archived exchange cannot be reviewed, and is not said to be unknown', () => {
    given([])
      .when(reviewCommand({ isArchived: true }))
      .thenRefused('exchange_archived');
    // Restored to the log, it is still one that was archived.
    given([exchangeStarted(), exchangeCompleted()])
      .when(reviewCommand({ isArchived: true }))
      .thenRefused('exchange_archived');
  });

  it('the refusal names the exchange that was asked for, if one was', () => {
    const message = (transactionId: string) =>
      given([]).when(reviewCommand({ transactionId })).thenRefused('no_unreviewed_exchange').message;
    expect(message('x')).toBe('"x" is no unreviewed exchange of "caller" with "receiver"');
    expect(message('')).toBe('there is no unreviewed exchange of "caller" with "receiver"');
  });

  it.each([
    ['caller', { callerAgentId: 'x' }],
    ['receiver', { receiverAgentId: 'x' }],
    ['universe', { universe: sandboxOf() }],
  ])('an exchange of another %s is refused like a missing one, reviewed or not', (_, other) => {
    const history = [exchangeStarted(other), exchangeCompleted(other)];
    const refusals = [history, [...history, exchangeReviewed(other)]].map(
      (events) => given(events).when(reviewCommand()).thenRefused('no_unreviewed_exchange').message,
    );
    expect(refusals[0]).toBe(refusals[1]);
  });
});

describe('rule D: no self-review', () => {
  it('is refused before any other rule', () => {
    given([])
      .when(reviewCommand({ reviewer: someReviewer({ trustScore: 0 }), receiver: someReceiver({ agentId: 'caller' }) }))
      .thenRefused('self_review');
  });
});

describe('a caller without the right to review', () => {
  it('cannot learn whether an exchange exists', () => {
    given([])
      .when(reviewCommand({ reviewer: someReviewer({ trustScore: 49 }) }))
      .thenRefused('caller_trust_too_low');
  });
});

import type { AgentEvent, ContactChanged, PersonalDataErased, SealedContact } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { fold } from '../decider.ts';
import {
  agentRegistered,
  atSecond,
  givenFor,
  registerAgentCommand,
  someSealed,
  updateAgentCommand,
} from '../testing/index.ts';
import type { ErasePersonalData, ResealContact } from './commands.ts';
import { agentDecider } from './decider.ts';

const given = givenFor(agentDecider);
const agentId = 'agent-1';
const erase = (...keyIds: string[]): ErasePersonalData => ({
  type: 'ErasePersonalData',
  agentId,
  keyIds,
  now: atSecond(90),
});
const erased = (...keyIds: string[]): PersonalDataErased => ({
  type: 'PersonalDataErased',
  data: { agentId, keyIds, erasedAt: atSecond(90) },
});
const changed = (contact: Partial<SealedContact>): ContactChanged => ({
  type: 'ContactChanged',
  data: { agentId, contact: { contactInfo: null, contactEmail: null, ...contact }, changedAt: atSecond(60) },
});
const contactAfter = (...history: AgentEvent[]): SealedContact | null => {
  const state = fold(agentDecider, history);
  return state.kind === 'registered' ? state.contact : null;
};

describe('an erasure', () => {
  it('records the destroyed keys, each once', () => {
    given([agentRegistered()])
      .when(erase('key-1', 'key-1'))
      .then([erased('key-1')]);
    given([agentRegistered()])
      .when(erase('key-2', 'key-1'))
      .then([erased('key-1', 'key-2')]);
  });

  it('of recorded keys, or of none, writes nothing', () => {
    given([agentRegistered(), erased('key-1')])
      .when(erase('key-1'))
      .thenNothing();
    given([agentRegistered({ contact: { contactInfo: null, contactEmail: null } })])
      .when(erase())
      .thenNothing();
  });

  it('of an unregistered agent is refused', () => {
    given([]).when(erase('key-1')).thenRefused('agent_not_found');
  });

  it('leaves only contact data sealed with a key that it does not name', () => {
    expect(contactAfter(agentRegistered(), erased('key-1'))).toEqual({ contactInfo: null, contactEmail: null });
    const later = someSealed('ring', 'key-2');
    const both = changed({ contactInfo: later, contactEmail: someSealed('owner@agent.example') });
    expect(contactAfter(agentRegistered(), both, erased('key-1'))).toEqual({ contactInfo: later, contactEmail: null });
  });

  it('removes the address for claim links, and a new contact restores it', () => {
    const issue = { type: 'IssueClaim', agentId, authority: { kind: 'uncredentialed', unownedOnly: false } } as const;
    const command = { ...issue, claimTokenHash: '0'.repeat(64), claimTtlSeconds: 0, now: atSecond(99) };
    const history = [agentRegistered(), erased('key-1')];
    given(history).when(command).thenRefused('contact_email_missing');
    const renewed = changed({ contactEmail: someSealed('new@agent.example', 'key-2') });
    expect(agentDecider.decide(command, fold(agentDecider, [...history, renewed]))).toHaveLength(1);
  });
});

describe('a contact that is sealed again', () => {
  const lost = someSealed('ring');
  const again = someSealed('ring', 'key-2');
  const reseal = (over: Partial<ResealContact> = {}): ResealContact => ({
    type: 'ResealContact',
    agentId,
    lost: { contactInfo: lost },
    contact: { contactInfo: again },
    now: atSecond(60),
    ...over,
  });

  it('replaces one that nobody can open', () => {
    given([agentRegistered({ contact: { contactInfo: lost, contactEmail: null } })])
      .when(reseal())
      .then([changed({ contactInfo: again })]);
  });

  it('does not replace one that was changed or erased since', () => {
    given([agentRegistered(), changed({ contactInfo: someSealed('call') })])
      .when(reseal())
      .thenNothing();
    given([agentRegistered({ contact: { contactInfo: lost, contactEmail: null } }), erased('key-1')])
      .when(reseal())
      .thenNothing();
  });
});

describe('the log', () => {
  it('gets no event if the same text is sealed with the same key', () => {
    const contact = { contactEmail: someSealed('owner@agent.example') };
    given([agentRegistered()]).when(updateAgentCommand({ contact })).thenNothing();
    const renewed = { contactEmail: someSealed('owner@agent.example', 'key-2') };
    given([agentRegistered()])
      .when(updateAgentCommand({ contact: renewed }))
      .then([changed(renewed)]);
  });

  it("has a registration's contact as it was sealed", () => {
    const { contact } = registerAgentCommand();
    const [registered] = agentDecider.decide(registerAgentCommand(), agentDecider.initialState);
    expect(registered).toMatchObject({ type: 'AgentRegistered', data: { contact } });
  });
});

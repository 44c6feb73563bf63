import { DomainError, faultAt, isErrorCode } from '@agent-trust/contracts';
import {
  EventLogClosedError,
  EventLogSetupError,
  EventLogTimeoutError,
  EventLogUnavailableError,
  WrongExpectedRevisionError,
} from '@agent-trust/event-log';
import { RpcInternalError, RpcTimeoutError, RpcUnavailableError } from '@agent-trust/nats-rpc';
import { describe, expect, it } from 'vitest';
import { toRefusal } from './refusals.ts';

describe('the refusal of a domain error', () => {
  it.each([
    [new DomainError('agent_id_taken', 'taken'), 'agent_id_taken'],
    [new WrongExpectedRevisionError('agent-a', 0n, 1n), 'write_conflict'],
    [new EventLogUnavailableError('down'), 'unavailable'],
    [new EventLogTimeoutError('late'), 'unavailable'],
    [new RpcUnavailableError('no_responders', 'nobody'), 'unavailable'],
    [new RpcTimeoutError('answer', 1, 'late'), 'unavailable'],
  ])('%s: %s', (error, code) => {
    expect(toRefusal(error)).toMatchObject({ code });
    expect(isErrorCode(code)).toBe(true);
  });

  it('contains the location of a fault', () => {
    const items = [{ loc: ['body', 'x'], msg: 'missing', type: 'contact_required' }];
    expect(toRefusal(faultAt('contact_required', ['body', 'x'], 'missing'))).toMatchObject({ data: { items } });
  });

  it.each([
    new Error('bug'),
    new EventLogSetupError('wrong'),
    new EventLogClosedError('shut'),
    new RpcInternalError('x'),
    'text',
  ])('is absent for an internal error (%s)', (error) => expect(toRefusal(error)).toBeNull());
});

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { idempotencyHeader } from './headers.ts';
import { answer, route, type RouteCredential } from './route.ts';

const about = {
  method: 'POST',
  path: '/x',
  operationId: 'x',
  summary: 'X',
  description: 'X.',
  tag: 'Agents',
  answers: { 200: answer('Done.', z.string(), 'done') },
} as const;
const errorsOf = (...credentials: RouteCredential[]) =>
  route({ ...about, credentials, operatorRole: 'viewer', organisationScope: 'read' }).errors;

describe("a route's refusals", () => {
  it.each([
    [['none'], []],
    [
      ['none', 'organisation'],
      ['invalid_api_key', 'organisation_disabled', 'org_key_scope_missing'],
    ],
    [
      ['agent', 'signature'],
      ['credential_required', 'invalid_credential', 'agent_suspended', 'agent_retired'],
    ],
    [['production_key'], ['credential_required', 'invalid_api_key', 'organisation_disabled', 'org_key_scope_missing']],
    [
      ['sandbox_key'],
      [
        'credential_required',
        'invalid_api_key',
        'organisation_disabled',
        'org_key_scope_missing',
        'sandbox_key_required',
      ],
    ],
    [['admin_token'], ['credential_required', 'invalid_credential']],
    [['admin_key'], ['invalid_admin_key', 'browser_request_refused']],
    [['operator'], ['credential_required', 'invalid_credential', 'operator_role_too_low']],
  ] satisfies [RouteCredential[], string[]][])('follow from the credentials %j', (credentials, codes) => {
    expect(errorsOf(...credentials)).toEqual(codes);
  });

  it('follow from the inputs that the route reads, and from no other', () => {
    const credentials: 'none'[] = ['none'];
    expect(route({ ...about, credentials, query: z.object({}) }).errors).toEqual(['validation_failed']);
    expect(route({ ...about, credentials, body: z.object({}) }).errors).toEqual(['validation_failed']);
    expect(route({ ...about, credentials, params: z.object({}) }).errors).toEqual(['validation_failed']);
    expect(route({ ...about, credentials, headers: idempotencyHeader }).errors).toEqual([
      'idempotency_key_reused',
      'idempotency_key_in_use',
    ]);
    expect(route({ ...about, credentials, headers: {} }).errors).toEqual([]);
  });

  it("are each listed once, with the route's own ones last", () => {
    const own = route({
      ...about,
      credentials: ['organisation'],
      organisationScope: 'any',
      badApiKey: 'not_owner',
      errors: ['write_conflict'],
    });
    expect(own.errors).toEqual(['credential_required', 'not_owner', 'organisation_disabled', 'write_conflict']);
    expect(route({ ...own, organisationScope: 'any', path: '/y' }).errors).toEqual(own.errors);
  });
});

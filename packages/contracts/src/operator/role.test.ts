/** Bug: a route that operators may call is open to each of them, because nobody thought of the role that it needs. */
import { describe, expect, it } from 'vitest';
import { describedRoutes } from '../routes.ts';
import { includesRole, operatorRole } from './role.ts';

const readsOperators = (credentials: readonly string[]): boolean =>
  credentials.some((one) => one.startsWith('admin_') || one === 'operator');

describe('the role that a route needs', () => {
  it('is stated on each route that operators may call, and on no other', () => {
    const wrong = describedRoutes.filter(
      ({ credentials, operatorRole: role }) => readsOperators(credentials) !== (role !== undefined),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('is viewer for reading alone, and admin for keys, personal data and acting as an owner', () => {
    const byRole = Map.groupBy(
      describedRoutes.filter(({ operatorRole: role }) => role !== undefined),
      ({ operatorRole: role }) => role,
    );
    const pathsOf = (role: 'viewer' | 'admin') => byRole.get(role)?.map(({ path }) => path);
    expect(byRole.get('viewer')?.every(({ method }) => method === 'GET')).toBe(true);
    expect(pathsOf('admin')).toEqual(
      expect.arrayContaining([
        '/org/create-key',
        '/ops/agents/{agent_id}/erase',
        '/ops/organisations/{org_id}/reissue-keys',
        '/rotate',
        '/update',
        '/register',
      ]),
    );
  });
});

it('each role may do what the ones before it may, and no more', () => {
  const { options } = operatorRole;
  for (const [at, has] of options.entries())
    for (const [needs, needed] of options.entries()) expect(includesRole(has, needed)).toBe(at >= needs);
});

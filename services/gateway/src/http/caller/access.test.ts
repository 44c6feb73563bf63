import { type RouteCredential, routes } from '@agent-trust/contracts';
import { expect, it } from 'vitest';
import { type Access, access } from './access.ts';

it('reads the credentials that the interface describes, on every route', () => {
  const read = (rule: Access): RouteCredential[] => [
    ...(rule.anonymous ? (['none'] as const) : []),
    ...(rule.bearer.includes('agent') ? (['agent'] as const) : []),
    ...(rule.signature === 'none' ? [] : (['signature'] as const)),
    ...(rule.apiKey ? (['organisation'] as const) : []),
    ...(rule.bearer.includes('admin') ? (['admin_token'] as const) : []),
    ...(rule.adminKey ? (['admin_key'] as const) : []),
  ];
  const described = routes.filter((route) => route.credentials.some((credential) => credential !== 'none'));
  expect(Object.fromEntries(Object.entries(access).map(([operation, rule]) => [operation, read(rule)]))).toEqual(
    Object.fromEntries(described.map((route) => [route.operationId, route.credentials])),
  );
});

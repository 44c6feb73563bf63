import { describe, expect, it } from 'vitest';
import { describedRoutes } from '../routes.ts';
import { mcpTransportRoutes } from '../mcp-transport/routes.ts';
import { corsRulesOf, isOpenToPages } from './cors.ts';

const at = (path: string) => corsRulesOf(describedRoutes.filter((route) => route.path === path));

const lower = (names: readonly string[]): string[] => names.map((name) => name.toLowerCase());

describe('pages of other origins', () => {
  it("may use neither the operators' routes nor the pages for people", () => {
    const kept = describedRoutes.filter((route) => !isOpenToPages(route)).map(({ path }) => path);
    expect(kept.toSorted()).toEqual([
      '/',
      '/console',
      '/console/assets/{file}',
      '/console/{page}',
      '/console/{page}/{subject}',
      '/console/{page}/{subject}/{part}',
      '/docs',
      '/docs/{file}',
      '/ops/agents/{agent_id}/erase',
      '/ops/agents/{agent_id}/reinstate',
      '/ops/agents/{agent_id}/suspend',
      '/ops/capability-aliases/{alias}/confirm',
      '/ops/capability-aliases/{alias}/undo',
      '/ops/demo',
      '/ops/demo',
      '/ops/domains/{domain}/vouch',
      '/ops/domains/{domain}/withdraw',
      '/ops/events',
      '/ops/keys',
      '/ops/keys',
      '/ops/keys/{key}/revoke',
      '/ops/organisations/{org_id}/disable',
      '/ops/organisations/{org_id}/enable',
      '/ops/organisations/{org_id}/limits',
      '/ops/organisations/{org_id}/limits',
      '/ops/organisations/{org_id}/reissue-keys',
      '/ops/organisations/{org_id}/usage',
      '/ops/policies',
      '/ops/policy-simulations',
      '/ops/policy-simulations',
      '/ops/policy-simulations/{simulation_id}',
      '/ops/policy-simulations/{simulation_id}',
      '/ops/policy-simulations/{simulation_id}/attacks/{attack}',
      '/ops/policy-trials',
      '/ops/policy-trials',
      '/ops/policy-trials/{trial_id}',
      '/ops/policy-trials/{trial_id}',
      '/ops/policy-trials/{trial_id}/agents',
      '/ops/policy-trials/{trial_id}/agents/{agent_id}',
      '/ops/policy/activate',
      '/ops/rates',
      '/ops/replays',
      '/ops/replays',
      '/ops/replays/{replay_id}',
      '/ops/replays/{replay_id}',
      '/ops/reviews/void',
      '/ops/settlements',
      '/ops/sign-in',
      '/ops/sign-in-codes',
      '/ops/status',
      '/ops/webhooks',
      '/ops/webhooks/{webhook_id}/deliveries',
      '/ops/webhooks/{webhook_id}/replay',
      '/ops/whoami',
      '/org/create-key',
    ]);
    for (const path of kept) expect(at(path)).toEqual({ methods: [], requestHeaders: [], answerHeaders: [] });
  });

  it("may send no operator's key, and no header that a page cannot set", () => {
    const asked = lower(corsRulesOf(describedRoutes).requestHeaders);
    expect(asked.filter((name) => ['x-admin-key', 'origin', 'cookie', '*'].includes(name))).toEqual([]);
    // Only the operator's token replaces an agent's key in that header.
    expect(at('/register').requestHeaders).not.toContain('Authorization');
  });

  it('get each header name once', () => {
    for (const names of Object.values(corsRulesOf(describedRoutes)).map(lower))
      expect(names).toEqual([...new Set(names)]);
  });

  it.each([
    ['/verify', ['POST'], ['X-API-KEY', 'Content-Type'], ['X-Request-Id', 'Retry-After']],
    ['/registry', ['GET', 'HEAD'], ['X-API-KEY'], ['Link', 'X-Total-Count']],
    ['/rotate', ['POST', 'GET'], ['Authorization', 'Signature', 'Signature-Input', 'Content-Digest'], []],
    ['/org/sandbox-key', ['POST', 'DELETE'], ['X-API-KEY'], []],
    [
      '/call',
      ['POST'],
      ['Authorization', 'Idempotency-Key', 'X-Payment', 'PAYMENT-SIGNATURE', 'Mcp-Session-Id'],
      [
        'X-Registry-Transaction-Id',
        'X-Registry-Status-Code',
        'X-Registry-Pay-Via',
        'Mcp-Session-Id',
        'WWW-Authenticate',
      ],
    ],
    [
      '/pay/{agent_id}',
      ['GET', 'POST'],
      ['Authorization', 'X-PAYMENT', 'PAYMENT-SIGNATURE', 'Access-Control-Expose-Headers'],
      ['X-PAYMENT-RESPONSE', 'PAYMENT-RESPONSE', 'PAYMENT-REQUIRED', 'X-Registry-Attribution', 'ETag'],
    ],
    ['/openapi.json', ['GET', 'HEAD'], ['If-None-Match'], ['ETag']],
  ])('%s', (path, methods, requestHeaders, answerHeaders) => {
    const may = at(path);
    expect(may.methods).toEqual(methods);
    expect(may.requestHeaders).toEqual(expect.arrayContaining(requestHeaders));
    expect(may.answerHeaders).toEqual(expect.arrayContaining(answerHeaders));
  });

  it('MCP', () => {
    expect(corsRulesOf(mcpTransportRoutes)).toMatchObject({
      requestHeaders: expect.arrayContaining([
        'Authorization',
        'X-API-KEY',
        'Mcp-Session-Id',
        'Mcp-Protocol-Version',
        'Last-Event-ID',
      ]) as unknown,
      answerHeaders: expect.arrayContaining(['Mcp-Session-Id', 'X-Request-Id', 'Retry-After']) as unknown,
    });
  });
});

import { describe, expect, it } from 'vitest';
import { httpStatusOf } from '../errors.ts';
import { describedRoutes as routes } from '../routes.ts';
import { buildOpenApi } from './openapi.ts';

type Operation = {
  responses: Record<string, { content?: Record<string, { schema: unknown }> }>;
  requestBody?: unknown;
};
const document = buildOpenApi(routes, { baseUrl: 'http://x', title: 't', version: '1.0.0' });
const operationOf = (path: string, method: string): Operation => {
  const paths = document['paths'] as Record<string, Record<string, Operation>>;
  return paths[path]?.[method] as Operation;
};

describe('the OpenAPI document', () => {
  it('has every route with each of its answers and errors', () => {
    for (const route of routes) {
      const { responses, requestBody } = operationOf(route.path, route.method.toLowerCase());
      for (const status of Object.keys(route.answers)) expect(responses).toHaveProperty(status);
      for (const code of route.errors) expect(JSON.stringify(responses[httpStatusOf(code)])).toContain(`"${code}"`);
      expect(requestBody === undefined).toBe(route.body === undefined && route.anyBody === undefined);
    }
  });

  it('lists write_conflict for every decision of registry-write, and nowhere else', () => {
    // The call-proxy writes a call to a new stream, to which nobody else writes.
    // Of the reading routes, those about the past and about events may be ahead of the read model.
    const readsOnly = ({ path, method }: (typeof routes)[number]): boolean =>
      path === '/verify' || (method === 'GET' && /^\/(?:agent|organisation)\//u.test(path)) || path.endsWith('/events');
    const commands = routes.filter(
      (route) => route.errors.includes('read_model_behind') && route.path !== '/call' && !readsOnly(route),
    );
    expect(commands.map(({ operationId }) => operationId)).toEqual(
      expect.arrayContaining(['createOrganisation', 'registerAgent', 'requestRotation', 'redeemClaim', 'updateAgent']),
    );
    const concerned = routes.filter(({ path, method }) =>
      JSON.stringify(operationOf(path, method.toLowerCase()).responses['503']).includes('"write_conflict"'),
    );
    expect(concerned).toEqual(commands);
  });

  it('contains the target of every reference', () => {
    const text = JSON.stringify(document);
    const { schemas } = document['components'] as { schemas: Record<string, unknown> };
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/gu))
      expect(schemas).toHaveProperty(name ?? '');
    expect(text).not.toContain('$defs');
  });

  it('closes only the objects that the contracts close', () => {
    const { schemas } = document['components'] as { schemas: Record<string, { additionalProperties?: unknown }> };
    const closed = Object.entries(schemas).filter(([, schema]) => schema.additionalProperties === false);
    expect(closed.map(([name]) => name)).toEqual([
      'PayloadSchema',
      'OrgNamedKeyRequest',
      'OrgNamedKeyReplacement',
      'DomainRequest',
      'DomainVoucher',
      'DomainWithdrawal',
      'AliasConfirmation',
      'AliasUndoing',
      'WebhookRequest',
      'WebhookReplayRequest',
      'OperatorReason',
      'VoidReviewsRequest',
      'OrganisationLimitsRequest',
      'OperatorKeyRequest',
      'OperatorKeyRevocation',
      'SignInCodeRequest',
      'SignIn',
      'ReplayRequest',
      'DemoRequest',
      'TrustPolicyV1',
      'TrustPolicyV2',
      'PolicyTrialRequest',
      'PolicySimulationRequest',
      'PolicyActivationRequest',
    ]);
  });

  it('shows streamed answers and extended errors', () => {
    expect(operationOf('/call', 'post').responses['200']?.content).toHaveProperty(['text/event-stream']);
    expect(JSON.stringify(operationOf('/verify', 'post').responses['404'])).toContain('UnregisteredVerdict');
  });
});

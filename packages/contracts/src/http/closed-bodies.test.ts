import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import '../issue-words.ts';
import { routes } from '../routes.ts';

/** The specification describes it, and ignores unknown members. */
const openForms = new Set(['POST /org/create-key']);

const withBody = routes.filter(
  ({ method, path, body }) =>
    /^\/(?:ops|org)\//u.test(path) && body !== undefined && !openForms.has(`${method} ${path}`),
);

/** With a misspelt member: where all members have defaults, it would change what the request does, silently. */
describe('bodies of requests of operators and of organisations about themselves', () => {
  it.each(withBody.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s refuses members that it does not know',
    (_, { body, bodyExamples }) => {
      const example = Object.values(bodyExamples ?? {})[0]?.value as object;
      const faults = (value: object): unknown[] => (body as z.ZodType).safeParse(value).error?.issues ?? [];
      expect(faults(example)).toEqual([]);
      expect(faults({ ...example, call_per_day: 10 })).toMatchObject([
        { code: 'unrecognized_keys', message: expect.stringContaining('has no member "call_per_day": it may have ') },
      ]);
    },
  );

  it('are those of these routes', () => {
    const paths = withBody.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        '/ops/organisations/{org_id}/limits',
        '/ops/keys',
        '/ops/policy-simulations',
        '/ops/policy-trials',
        '/ops/policy/activate',
        '/ops/replays',
        '/org/keys',
        '/org/keys/{key_id}/replace',
        '/org/webhooks',
      ]),
    );
  });
});

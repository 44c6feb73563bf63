import { expect, it } from 'vitest';
import { z } from 'zod';
import { corsRulesOf } from './cors.ts';
import { deprecationHeaders } from './deprecation.ts';
import { buildOpenApi } from './openapi.ts';
import { answer, type Route, route } from './route.ts';

const about = {
  method: 'GET',
  path: '/old',
  operationId: 'readOld',
  summary: 'Old',
  description: 'What it was.',
  tag: 'Agents',
  credentials: ['none'],
  answers: { 200: answer('It.', z.object({ old: z.boolean() }), { old: true }) },
} as const;
const deprecated = { since: '2026-11-24', sunset: '2027-06-01', instead: 'GET /new.' };
type Operation = { deprecated?: boolean; description: string; responses: Record<string, { headers: object }> };
const operationOf = (declared: Route): Operation => {
  const { paths } = buildOpenApi([declared], { baseUrl: 'https://r.example', title: 'T', version: '1.0.0' });
  return (paths as Record<string, Record<string, Operation>>)['/old']?.['get'] as Operation;
};

it('says since when and until when, in the forms of RFC 9745 and RFC 8594', () => {
  expect(deprecationHeaders(deprecated)).toEqual({
    Deprecation: '@1795478400',
    Sunset: 'Tue, 01 Jun 2027 00:00:00 GMT',
  });
});

it('is in OpenAPI: the operation, its text, and the headers of each answer', () => {
  const operation = operationOf(route({ ...about, credentials: ['none'], deprecated }));
  expect(operation.deprecated).toBe(true);
  expect(operation.description).toBe(
    'What it was. Deprecated since 2026-11-24, and may be gone from 2027-06-01 on: GET /new.',
  );
  expect(Object.keys(operation.responses).length).toBeGreaterThan(3);
  for (const { headers } of Object.values(operation.responses))
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(['Deprecation', 'Sunset']));
  const usual = operationOf(route({ ...about, credentials: ['none'] }));
  expect(usual).not.toHaveProperty('deprecated');
  expect(JSON.stringify(usual)).not.toContain('Sunset');
});

it('may be read by web pages', () => {
  const rules = corsRulesOf([route({ ...about, credentials: ['none'], deprecated })]);
  expect(rules.answerHeaders).toEqual(expect.arrayContaining(['Deprecation', 'Sunset']));
});

it.each([
  ['less time than is promised', { ...deprecated, sunset: '2027-05-01' }],
  ['an end before the beginning', { ...deprecated, sunset: '2026-01-01' }],
  ['a date in another form', { ...deprecated, since: '24.11.2026' }],
])('is refused with %s', (_what, wrong) => {
  expect(() => route({ ...about, credentials: ['none'], deprecated: wrong })).toThrow(/\/old is deprecated since/u);
});

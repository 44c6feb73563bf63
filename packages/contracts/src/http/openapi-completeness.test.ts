import { describe, expect, it } from 'vitest';
import { exampleDetails } from '../error-examples.ts';
import { errorCodes, httpStatusOf, meaningOf } from '../errors.ts';
import { describedRoutes as routes } from '../routes.ts';
import { buildOpenApi } from './openapi.ts';
import { tags } from './tags.ts';

type Json = Record<string, unknown>;
const document = buildOpenApi(routes, { baseUrl: 'http://x', title: 't', version: '1.0.0' });
type Components = Record<'schemas' | 'headers', Record<string, Json>>;
const { schemas, headers: sharedHeaders } = document['components'] as Components;
const headerOf = (header: Json): Json => sharedHeaders[String(header['$ref']).split('/').at(-1) ?? ''] ?? header;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const isDescribed = (thing: unknown): boolean => {
  if (!isObject(thing)) return false;
  if (typeof thing['description'] === 'string') return thing['description'].length > 2;
  const [, name] = /^#\/components\/schemas\/(.+)$/u.exec(String(thing['$ref'])) ?? [];
  return name !== undefined && isDescribed(schemas[name]);
};

const operations = Object.entries(document['paths'] as Record<string, Record<string, Json>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
);

/** Every schema of a document with its location. Examples are skipped: their values may look like schemas. */
const propertiesIn = (node: unknown, at: string): [string, unknown][] => {
  if (!isObject(node)) return [];
  return Object.entries(node).flatMap(([key, value]): [string, unknown][] => {
    if (key === 'example' || key === 'examples' || key === 'default' || key === 'enum') return [];
    if (key !== 'properties' || !isObject(value)) return propertiesIn(value, `${at}/${key}`);
    return Object.entries(value).flatMap(([name, field]): [string, unknown][] => [
      [`${at}/${name}`, field],
      ...propertiesIn(field, `${at}/${name}`),
    ]);
  });
};

describe('the OpenAPI document is complete: it', () => {
  it('describes each schema and each field', () => {
    const unsaid = [
      ...Object.entries(schemas).filter(([, schema]) => !isDescribed(schema)),
      ...propertiesIn(document, '').filter(([, field]) => !isDescribed(field)),
    ];
    expect(unsaid.map(([name]) => name)).toEqual([]);
  });

  it.each(operations)('describes $name, its parameters and headers', ({ operation }) => {
    expect(operation).toMatchObject({
      summary: expect.any(String) as unknown,
      description: expect.any(String) as unknown,
    });
    const parameters = operation['parameters'] as Json[];
    const answers = Object.entries(operation['responses'] as Record<string, Json>);
    const headers = answers.flatMap(([status, { headers: ofAnswer }]) =>
      Object.entries(ofAnswer as Json).map(([name, header]): [string, unknown] => [
        `${status} ${name}`,
        headerOf(header as Json),
      ]),
    );
    const unsaid = [
      ...parameters.filter((one) => !isDescribed(one) || !isObject(one['schema'])).map(({ name }) => name),
      ...answers.filter(([, answer]) => !isDescribed(answer)).map(([status]) => status),
      ...headers
        .filter(([, header]) => !isDescribed(header) || !isObject((header as Json)['schema']))
        .map(([name]) => name),
      // A string without a format is any text; an example shows it.
      ...headers.filter(([, header]) => !('example' in (header as Json))).map(([name]) => name),
    ];
    expect(unsaid).toEqual([]);
  });

  it.each(operations)('has examples of the requests and answers of $name', ({ operation }) => {
    const contents = [
      ['request', operation['requestBody']],
      ...Object.entries(operation['responses'] as Json).filter(([status]) => status !== 'default'),
    ].flatMap(([name, holder]) =>
      Object.entries((holder as { content?: Record<string, Json> } | undefined)?.content ?? {})
        // A relayed value has no schema.
        .filter(([type]) => type !== '*/*')
        .map(([type, media]): [string, Json] => [`${String(name)} ${type}`, media]),
    );
    const bare = contents.filter(([, media]) => Object.keys(media['examples'] ?? media['example'] ?? {}).length === 0);
    expect(bare.map(([name]) => name)).toEqual([]);
  });

  it('accepts its own examples', () => {
    const examples = routes.flatMap((route) => [
      ...Object.values(route.bodyExamples ?? {}).map(({ value }) => ({ of: route.path, schema: route.body, value })),
      ...Object.values(route.answers).flatMap(({ body, examples: ofAnswer }) =>
        Object.values(ofAnswer ?? {}).map(({ value }) => ({ of: route.path, schema: body, value })),
      ),
    ]);
    const wrong = examples.map(({ of, schema, value }) => [of, schema?.safeParse(value).error?.issues]);
    expect(wrong.filter(([, issues]) => issues !== undefined)).toEqual([]);
  });

  it('lists the refusals that contain an unrecoverable secret', () => {
    // A secret that a repeated GET shows again is not lost with an answer, nor one for which another is as good: a listener's, or a code.
    const secret = routes.filter(
      (route) =>
        route.secret === true &&
        (route.method !== 'GET' || route.withoutHead) &&
        !['openWebhookListener', 'createSignInCode'].includes(route.operationId),
    );
    expect(secret.length).toBeGreaterThanOrEqual(6);
    expect(secret.filter(({ errorBodies }) => errorBodies?.[503] === undefined)).toEqual([]);
  });

  it('explains each error code in one sentence, and shows its detail', () => {
    const unclear = errorCodes.filter((code) => !/^[A-Za-z].{10,200}\.$/u.test(meaningOf(code)));
    expect(unclear).toEqual([]);
    const reported = JSON.stringify(document['info']);
    expect(errorCodes.filter((code) => !reported.includes(`\`${code}\``))).toEqual([]);
    const listed = errorCodes.filter((code) => Array.isArray(exampleDetails[code]));
    expect(listed).toEqual(errorCodes.filter((code) => httpStatusOf(code) === 422));
  });

  it('describes its groups in order, each of them in use', () => {
    const named = (document['tags'] as { name: string }[]).map(({ name }) => name);
    expect(named).toEqual(tags.map(({ name }) => name).filter((name) => routes.some(({ tag }) => tag === name)));
    expect(routes.filter(({ tag }) => !named.includes(tag))).toEqual([]);
  });
});

/*
 * Bug: the comparison with an earlier release (compatibility.test.ts) passes over a kind of break.
 * Method: the present interface is compared with a copy that has one break, and with one that has additions alone.
 */
import { describe, expect, it } from 'vitest';
import {
  describeCli,
  describeEvents,
  type DescribedCli,
  type DescribedEvents,
  describeOpenApi,
} from '../release-fixture/interface-of.ts';
import { cliBreaks } from '../support/compatibility/cli-breaks.ts';
import { eventBreaks } from '../support/compatibility/event-breaks.ts';
import { type OpenApi, openApiBreaks } from '../support/compatibility/openapi-breaks.ts';

const present = describeOpenApi() as OpenApi;
const presentEvents = describeEvents();
const presentCli = await describeCli();

type Changed = { what: string; change: (document: OpenApi) => void; found: RegExp };
/** The parts of a document that the changes below need; a document without one fails its test by the missing member. */
const schemaOf = (
  document: OpenApi,
  name: string,
): { properties: Record<string, Record<string, unknown>>; required: string[] } =>
  document.components.schemas[name] as never;
const operationOf = (document: OpenApi, method: string, path: string) => {
  const operation = document.paths[path]?.[method];
  if (operation === undefined) throw new Error(`no ${method} ${path}`);
  return operation;
};

describe('a break of the HTTP interface is found', () => {
  const changes: Changed[] = [
    { what: 'a route is removed', change: ({ paths }) => delete paths['/registry'], found: /GET \/registry is gone/u },
    {
      what: 'a method is removed',
      change: ({ paths }) => delete paths['/org/sandbox-key']?.['delete'],
      found: /DELETE \/org\/sandbox-key is gone/u,
    },
    {
      what: 'an operation is renamed',
      change: (it) => (operationOf(it, 'post', '/verify').operationId = 'check'),
      found: /operationId is now check/u,
    },
    {
      what: 'an answer is removed',
      change: (it) => delete operationOf(it, 'post', '/register').responses['202'],
      found: /POST \/register 202 is gone/u,
    },
    {
      what: 'a field of an answer is removed',
      change: (it) => delete schemaOf(it, 'TrustObject').properties['trust_score'],
      found: /trust_score is gone/u,
    },
    {
      what: 'a field of an answer may be absent',
      change: (it) =>
        void (schemaOf(it, 'TrustObject').required = schemaOf(it, 'TrustObject').required.filter(
          (name) => name !== 'trust_score',
        )),
      found: /trust_score may now be absent/u,
    },
    {
      what: 'a field of an answer may be null',
      change: (it) =>
        (schemaOf(it, 'TrustObject').properties['trust_score'] = { anyOf: [{ type: 'integer' }, { type: 'null' }] }),
      found: /trust_score may now be of type null/u,
    },
    {
      what: 'a field of an answer has another type',
      change: (it) => (schemaOf(it, 'TrustObject').properties['trust_score'] = { type: 'string' }),
      found: /trust_score may now be of type string/u,
    },
    {
      what: 'an integer may be a fraction',
      change: (it) => (schemaOf(it, 'TrustObject').properties['trust_score'] = { type: 'number' }),
      found: /trust_score may now be a fraction/u,
    },
    {
      what: 'a value of an enumeration is removed',
      change: (it) =>
        void (schemaOf(it, 'TrustObject').properties['recommended_action'] as { enum: string[] }).enum.pop(),
      found: /recommended_action has lost the value/u,
    },
    {
      what: 'an error code is removed',
      change: (it) => removeWord(operationOf(it, 'post', '/review').responses['409'], 'already_reviewed'),
      found: /code has lost the value "already_reviewed"/u,
    },
    {
      what: 'a header of an answer is removed',
      change: (it) => delete operationOf(it, 'get', '/registry').responses['200']?.headers?.['X-Total-Count'],
      found: /the header X-Total-Count is gone/u,
    },
    {
      what: 'a new field is required',
      change: (it) => {
        const body = schemaOf(it, 'VerifyRequest');
        body.properties['purpose'] = { type: 'string' };
        body.required = [...(body.required ?? []), 'purpose'];
      },
      found: /purpose is new and required/u,
    },
    {
      what: 'an optional field is required',
      change: (it) => (schemaOf(it, 'WebhookRequest').required = ['url', 'agent_ids']),
      found: /agent_ids is now required/u,
    },
    {
      what: 'a field of a request is removed',
      change: (it) => delete schemaOf(it, 'WebhookRequest').properties['agent_ids'],
      found: /agent_ids is gone/u,
    },
    {
      what: 'a field no longer takes null',
      change: (it) =>
        (schemaOf(it, 'WebhookRequest').properties['agent_ids'] = { type: 'array', items: { type: 'string' } }),
      found: /agent_ids no longer takes a value of type null/u,
    },
    {
      what: 'a limit is lower',
      change: (it) => (schemaOf(it, 'VerifyRequest').properties['agent_id'] = { type: 'string', maxLength: 3 }),
      found: /maxLength is now 3/u,
    },
    {
      what: 'a query parameter is removed',
      change: (it) => {
        const registry = operationOf(it, 'get', '/registry');
        registry.parameters = registry.parameters?.filter(({ name }) => name !== 'limit') ?? [];
      },
      found: /query limit is gone/u,
    },
    {
      what: 'a query parameter is required',
      change: (it) => {
        for (const one of operationOf(it, 'get', '/registry').parameters ?? []) one.required = true;
      },
      found: /query limit is now required/u,
    },
    {
      what: 'callers need a credential',
      change: (it) => (operationOf(it, 'post', '/verify').security = [{ organisationKey: [] }]),
      found: /no longer takes callers without a credential/u,
    },
    {
      what: 'operators need a higher role',
      change: (it) => (operationOf(it, 'get', '/ops/status')['x-operator-role'] = 'admin'),
      found: /now needs the role admin/u,
    },
  ];
  it.each(changes)('$what', ({ change, found }) => {
    const changed = structuredClone(present);
    change(changed);
    expect(openApiBreaks(present, changed).join('\n')).toMatch(found);
  });

  it('and nothing is reported of additions', () => {
    const changed = structuredClone(present);
    const { paths } = changed;
    paths['/new'] = { get: operationOf(present, 'get', '/health') };
    schemaOf(changed, 'TrustObject').properties['new_field'] = { type: 'string' };
    schemaOf(changed, 'TrustObject').required.push('new_field');
    schemaOf(changed, 'WebhookRequest').properties['label'] = { type: 'string' };
    (schemaOf(changed, 'TrustObject').properties['recommended_action'] as { enum: string[] }).enum.push('wait');
    operationOf(changed, 'get', '/registry').parameters?.push({
      name: 'sort',
      in: 'query',
      schema: { type: 'string' },
    });
    expect(openApiBreaks(present, changed)).toEqual([]);
    expect(openApiBreaks(present, present)).toEqual([]);
  });
});

/** Removes a word from every list in a part of a document. */
const removeWord = (part: unknown, word: string): void => {
  if (Array.isArray(part) && part.includes(word)) part.splice(part.indexOf(word), 1);
  if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) removeWord(inner, word);
};

describe('a break of events is found', () => {
  const fieldsOf = (events: DescribedEvents) =>
    events['KeyRotated']?.schema as { properties: Record<string, unknown>; required: string[] };
  it.each<[string, (events: DescribedEvents) => void, RegExp]>([
    ['a type is removed', (events) => delete events['KeyRotated'], /KeyRotated is gone/u],
    ['a field is removed', (events) => delete fieldsOf(events).properties['keyHash'], /keyHash is gone/u],
    [
      'a field is new and required',
      (events) => {
        fieldsOf(events).properties['why'] = { type: 'string' };
        fieldsOf(events).required.push('why');
      },
      /why is new and required/u,
    ],
    [
      'a field has another type',
      (events) => (fieldsOf(events).properties['keyHash'] = { type: 'number' }),
      /keyHash no longer takes/u,
    ],
    [
      'a version is lower',
      (events) => void ((events['ExchangeReviewed'] as { version: number }).version = 1),
      /back at version 1/u,
    ],
  ])('%s', (_what, change, found) => {
    const changed = structuredClone(presentEvents);
    change(changed);
    expect(eventBreaks(presentEvents, changed).join('\n')).toMatch(found);
  });

  it('and nothing is reported of an optional field or a new type', () => {
    const changed = structuredClone(presentEvents);
    fieldsOf(changed).properties['why'] = { type: 'string' };
    changed['SomethingHappened'] = { version: 1, schema: {} };
    expect(eventBreaks(presentEvents, changed)).toEqual([]);
  });
});

describe('a break of the command line is found', () => {
  it.each<[string, (cli: DescribedCli) => void, RegExp]>([
    ['a command is removed', ({ commands }) => delete commands['registry'], /registry is gone/u],
    ['an option is removed', ({ commands }) => void commands['trust']?.options.splice(0), /trust: --as-of is gone/u],
    [
      'a flag takes a value',
      (cli) => (cli.globalOptions = cli.globalOptions.map((flags) => flags.replace('--json', '--json <form>'))),
      /--json now takes a value/u,
    ],
    [
      'an argument is new',
      ({ commands }) => void commands['trust']?.arguments.push('<why>'),
      /trust needs more arguments/u,
    ],
    ['an exit code is removed', ({ exitCodes }) => delete exitCodes['22'], /exit code 22 is gone/u],
  ])('%s', (_what, change, found) => {
    const changed = structuredClone(presentCli);
    change(changed);
    expect(cliBreaks(presentCli, changed).join('\n')).toMatch(found);
  });

  it('and nothing is reported of a new command, option or exit code', () => {
    const changed = structuredClone(presentCli);
    changed.commands['new'] = { arguments: ['<needed>'], options: [] };
    changed.commands['trust']?.options.push('--new <value>');
    changed.exitCodes['27'] = 'new';
    expect(cliBreaks(presentCli, changed)).toEqual([]);
  });
});

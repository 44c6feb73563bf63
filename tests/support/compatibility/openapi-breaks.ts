import { type Definitions, type Place, type Schema, schemaBreaks } from './schemas.ts';

type Media = { schema?: Schema };
type Content = Record<string, Media>;
type Parameter = { name: string; in: string; required?: boolean; schema: Schema };
type Answer = { content?: Content; headers?: Record<string, unknown> };
type Operation = {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Answer>;
  security?: Record<string, unknown>[];
  'x-operator-role'?: string;
};
export type OpenApi = {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const definitionsOf = ({ components }: OpenApi): Definitions =>
  Object.fromEntries(
    Object.entries(components.schemas).map(([name, schema]) => [`#/components/schemas/${name}`, schema]),
  );

/** What of a released interface the present one breaks, in sentences. Additions break nothing. */
export function openApiBreaks(was: OpenApi, now: OpenApi): string[] {
  const definitions = { was: definitionsOf(was), now: definitionsOf(now), compared: new Set<string>() };
  const faults: string[] = [];
  for (const [path, methods] of Object.entries(was.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`;
      const current = now.paths[path]?.[method];
      faults.push(
        ...(current === undefined ? [`${name} is gone`] : operationBreaks(name, operation, current, definitions)),
      );
    }
  }
  // Messages of webhooks: what the registry sends is what their consumers receive.
  for (const [event, methods] of Object.entries(was.webhooks ?? {})) {
    for (const [method, operation] of Object.entries(methods)) {
      const current = now.webhooks?.[event]?.[method];
      const name = `webhook ${event}`;
      if (current === undefined) faults.push(`${name} is gone`);
      else
        faults.push(
          ...contentBreaks(
            `${name} message`,
            operation.requestBody?.content,
            current.requestBody?.content,
            'received',
            definitions,
          ),
        );
    }
  }
  return faults;
}

type Both = Omit<Place, 'at'>;

const operationBreaks = (name: string, was: Operation, now: Operation, definitions: Both): string[] => [
  ...(was.operationId === now.operationId
    ? []
    : [`${name}: operationId is now ${now.operationId}, not ${was.operationId}`]),
  ...parameterBreaks(name, was.parameters ?? [], now.parameters ?? [], definitions),
  ...securityBreaks(name, was, now),
  ...(now.requestBody?.required === true && was.requestBody?.required !== true ? [`${name} now needs a body`] : []),
  ...contentBreaks(`${name} body`, was.requestBody?.content, now.requestBody?.content, 'sent', definitions),
  ...Object.entries(was.responses).flatMap(([status, answer]) => {
    const current = now.responses[status];
    if (current === undefined) return [`${name} ${status} is gone`];
    return [
      ...contentBreaks(`${name} ${status}`, answer.content, current.content, 'received', definitions),
      ...Object.keys(answer.headers ?? {})
        .filter((header) => current.headers?.[header] === undefined)
        .map((header) => `${name} ${status}: the header ${header} is gone`),
    ];
  }),
];

const parameterBreaks = (name: string, was: Parameter[], now: Parameter[], definitions: Both): string[] => {
  const find = (list: Parameter[], one: Parameter) =>
    list.find((other) => other.name === one.name && other.in === one.in);
  return [
    ...was.flatMap((parameter) => {
      const at = `${name} ${parameter.in} ${parameter.name}`;
      const current = find(now, parameter);
      if (current === undefined) return [`${at} is gone`];
      return [
        ...(current.required === true && parameter.required !== true ? [`${at} is now required`] : []),
        ...schemaBreaks(parameter.schema, current.schema, 'sent', { at, ...definitions }),
      ];
    }),
    ...now.flatMap((parameter) =>
      parameter.required === true && find(was, parameter) === undefined
        ? [`${name} ${parameter.in} ${parameter.name} is new and required`]
        : [],
    ),
  ];
};

const roles = [undefined, 'viewer', 'operator', 'admin'];

/** Each credential that was enough still is, and an operator needs no higher role. */
const securityBreaks = (name: string, was: Operation, now: Operation): string[] => {
  const [before, after] = [was, now].map(({ security = [] }) =>
    security.map((one) => Object.keys(one).toSorted().join(' and ')),
  );
  const [roleBefore, roleNow] = [was['x-operator-role'], now['x-operator-role']];
  return [
    ...(before ?? [])
      .filter((one) => after?.includes(one) !== true)
      .map((one) => `${name} no longer takes ${one === '' ? 'callers without a credential' : one}`),
    ...(roleBefore !== undefined && roles.indexOf(roleNow) > roles.indexOf(roleBefore)
      ? [`${name} now needs the role ${roleNow}`]
      : []),
  ];
};

const contentBreaks = (
  at: string,
  was: Content = {},
  now: Content = {},
  direction: 'sent' | 'received',
  definitions: Both,
): string[] =>
  Object.entries(was).flatMap(([type, { schema }]) => {
    const current = now[type];
    if (current === undefined) return [`${at} ${type} is gone`];
    if (schema === undefined || current.schema === undefined) return [];
    return schemaBreaks(schema, current.schema, direction, { at, ...definitions });
  });

import { buildOpenApi, describedRoutes, eventDefinitions } from '@agent-trust/contracts';
import { z } from 'zod';
import { registryVersion } from '../../packages/service-kit/src/version.ts';
import { commandTable } from '../../packages/cli/src/command-table.ts';
import { exitCodeMeanings } from '../../packages/cli/src/exit-codes.ts';
import { globalOptions } from '../../packages/cli/src/program/global-options.ts';
import { fixtureBaseUrl } from './stack-settings.ts';

/** A command of the command line. An argument is `<name>`, `[name]` if it may be left out; options are in commander's form. */
export type DescribedCommand = { arguments: string[]; options: string[] };
export type DescribedCli = {
  commands: Record<string, DescribedCommand>;
  globalOptions: string[];
  exitCodes: Record<string, string>;
};
/** The JSON Schema of the data of each event type, in its current version. */
export type DescribedEvents = Record<string, { version: number; schema: Record<string, unknown> }>;

/** What the present code offers: its HTTP interface, events and command line. */
export async function describeInterface(): Promise<{ openapi: object; events: DescribedEvents; cli: DescribedCli }> {
  return { openapi: describeOpenApi(), events: describeEvents(), cli: await describeCli() };
}

/** The OpenAPI document without texts for readers, which may change at any time. */
export function describeOpenApi(): object {
  const about = { baseUrl: fixtureBaseUrl, title: 'Agent Trust Registry', version: registryVersion };
  return withoutTexts(buildOpenApi(describedRoutes, about)) as object;
}

export function describeEvents(): DescribedEvents {
  return Object.fromEntries(
    eventDefinitions.map(({ type, version, schema }) => {
      const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Record<string, unknown>;
      return [type, { version, schema: withoutTexts(described) as Record<string, unknown> }];
    }),
  );
}

export async function describeCli(): Promise<DescribedCli> {
  const commands: DescribedCli['commands'] = {};
  for (const { load } of commandTable) {
    for (const command of await load()) {
      commands[command.path.join(' ')] = {
        arguments: command.arguments.map(({ name, optional, repeats }) => {
          const shown = repeats === true ? `${name}...` : name;
          return optional === true ? `[${shown}]` : `<${shown}>`;
        }),
        options: Object.values(command.options).map(({ flags }) => flags),
      };
    }
  }
  return {
    commands,
    globalOptions: Object.values(globalOptions).map(({ flags }) => flags),
    exitCodes: Object.fromEntries(exitCodeMeanings.map(([code, meaning]) => [String(code), meaning])),
  };
}

const texts = new Set(['description', 'summary', 'examples', 'example', 'title', 'externalDocs']);

/** A copy without texts and examples, and with the names of headers alone. Members of `properties` are names of fields, whatever they are. */
const withoutTexts = (value: unknown, isMap = false): unknown => {
  if (Array.isArray(value)) return value.map((one) => withoutTexts(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isMap || !texts.has(name))
      .map(([name, one]) => [
        name,
        !isMap && name === 'headers'
          ? Object.fromEntries(Object.keys(one as object).map((header) => [header, {}]))
          : withoutTexts(one, !isMap && (name === 'properties' || name === 'schemas')),
      ]),
  );
};

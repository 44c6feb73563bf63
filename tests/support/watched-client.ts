import { type ClientOptions, createRegistryClient, type RegistryClient, RegistryError } from '@agent-trust/client';
import { expect } from 'vitest';
import { freshClient, gateways, stack } from './ask.ts';

type Document = { paths: Record<string, Record<string, { operationId: string }>> };
export type Reached = { operationId: string; status: number };

/** Every answer that a watched client received. */
export const reached: Reached[] = [];

let document: Promise<Document> | undefined;
export async function describedOperations(): Promise<Document> {
  return (document ??= fetch(`${gateways[0]}/openapi.json`).then((response) => response.json() as Promise<Document>));
}

const operationOf = async (method: string, path: string): Promise<string> => {
  const { paths } = await describedOperations();
  const described = Object.entries(paths).find(([template]) =>
    new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/gu, '[^/]+')}$`, 'u').test(path),
  );
  return described?.[1][method.toLowerCase()]?.operationId ?? `${method} ${path}`;
};

/** A fetch that records answers. It has its own client address, so that no test uses up another's rate limit. */
export const watchedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, headers: { ...(init?.headers as object), ...freshClient() } });
  const operationId = await operationOf(init?.method ?? 'GET', new URL(input as string).pathname);
  reached.push({ operationId, status: response.status });
  return response;
};

export function watchedClient(options: Partial<ClientOptions> = {}): RegistryClient {
  return createRegistryClient({ baseUrl: gateways[0], fetch: watchedFetch, ...options });
}

export function operator(): RegistryClient {
  return watchedClient({ adminKey: stack.adminKey, adminToken: stack.adminToken });
}

/** The status and code of a refusal. */
export async function refusalOf(outcome: Promise<unknown>): Promise<[number, string]> {
  const error = await outcome.then(
    (value) => expect.fail(`answered ${JSON.stringify(value)}`),
    (failure: unknown) => failure,
  );
  if (!(error instanceof RegistryError)) throw error;
  return [error.status, error.code];
}

import { expect, it } from 'vitest';
import { agentAddress } from './agent-address.ts';

const pathOf = (change: (of: { url: URL }) => URL, path: string): string =>
  change({ url: new URL(path, 'https://registry.example') }).pathname;

// Bug: the page of an agent has an address that nobody else would write, or one address has the pages of two agents.
it.each(['lead', 'lead%20', '%20lead', 'lead%2520', 'page', 'a%2Fpage', 'a%3Fb%23c', '%E3%80%80'])(
  'an address ends with the id, and the route does not: %s',
  (id) => {
    const route = pathOf(agentAddress.input, `/agents/${id}`);
    expect(route).toBe(`/agents/${id}/page`);
    expect(pathOf(agentAddress.input, `/agents/${id}/`)).toBe(route);
    expect(pathOf(agentAddress.output, route)).toBe(`/agents/${id}`);
  },
);

it.each(['/', '/registry', '/agents', '/agents/', '/agents/a/b'])('other addresses stay: %s', (path) => {
  expect([pathOf(agentAddress.input, path), pathOf(agentAddress.output, path)]).toEqual([path, path]);
});

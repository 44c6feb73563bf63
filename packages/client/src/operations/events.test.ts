import { expect, it } from 'vitest';
import { createRegistryClient } from '../client.ts';
import { startRegistryServer } from '../testing/registry-server.ts';

// Bug: events between a stream that broke before its first event and the next stream are lost.
it('a follower that is cut off before its first event resumes at its start', async () => {
  const server = await startRegistryServer();
  const asEvents = { 'content-type': 'text/event-stream' };
  server.answers = [
    (response) => void response.writeHead(200, asEvents).end('retry: 1000\nid: 9\n\nid: 12\n'),
    (response) => void response.writeHead(200, asEvents).write('id: 9\n\nid: 12\ndata: {"position":"12"}\n\n'),
  ];
  try {
    const client = createRegistryClient({ baseUrl: server.url, adminToken: 'token' });
    const states: string[] = [];
    for await (const { position } of client.ops.followEvents({}, { onState: (state) => states.push(state) })) {
      expect(position).toBe('12');
      break;
    }
    expect(states).toEqual(['open', 'broken', 'open']);
    expect(server.received.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '9']);
  } finally {
    server.stop();
  }
});

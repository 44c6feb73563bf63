import { type ServerProcess, startServerProcess } from './server-process.ts';

export type Cluster = {
  /** The usual address of a cluster: all its nodes. */
  url: string;
  nodes: ServerProcess[];
  /** The node that leads and has all that was acknowledged. */
  leader(): Promise<ServerProcess>;
  /** Starts a node again that has ended, at its former ports; resolves when it has the whole log. */
  restart(node: ServerProcess): Promise<void>;
  close(): Promise<void>;
};

const pollMs = 20;
const askTimeoutMs = 500;

/** Three nodes, each in a process of its own. */
export async function startCluster(): Promise<Cluster> {
  const nodes = await Promise.all(
    [1, 2, 3].map((id) => startServerProcess({ port: 0, cluster: { id, internalPort: 0 } })),
  );
  const peers = nodes.map(({ port, internalPort }, index) => ({ id: index + 1, port, internalPort }));
  await Promise.all(nodes.map((node) => node.ask('join', peers)));

  /** Null for a node that has ended or is paused. */
  const roleOf = (node: ServerProcess) =>
    Promise.race([
      node.ask('role').catch(() => null),
      new Promise<null>((resolve) => setTimeout(() => resolve(null), askTimeoutMs)),
    ]);
  const leader = async (): Promise<ServerProcess> => {
    for (;;) {
      const roles = await Promise.all(nodes.map(roleOf));
      const found = nodes.find((_, index) => roles[index]?.isLeader === true);
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  };
  await leader();
  return {
    url: `esdb://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}?tls=false`,
    nodes,
    leader,
    restart: async (node) => {
      const index = nodes.indexOf(node);
      const { port, internalPort } = node;
      const started = await startServerProcess({ port, cluster: { id: index + 1, internalPort } });
      nodes[index] = started;
      await started.ask('join', peers);
      const { events } = await (await leader()).ask('role');
      while (((await roleOf(started))?.events ?? 0) < events)
        await new Promise((resolve) => setTimeout(resolve, pollMs));
    },
    close: async () => {
      await Promise.all(nodes.map((node) => node.close()));
    },
  };
}

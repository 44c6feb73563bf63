import { Access } from './access.ts';
import type { Write } from './batch-append.ts';
import { ClusterNode } from './cluster-node.ts';
import { noFaults } from './faults.ts';
import { type NodeParts, serve } from './serve.ts';
import type { Answered, Asked, NodeSettings, StartedNode } from './server-process.ts';
import { Store } from './store.ts';

// One node of EventStoreDB, for tests: see `serve.ts`. Its parent controls it by messages; it ends with its parent.

const settings = JSON.parse(process.argv[2] ?? '') as NodeSettings;
const store = new Store();
const faults = noFaults();
const { security = null } = settings;
const access = new Access(store, security?.adminPassword ?? null);
const alone: Write = async (stream, expected, proposed) => store.append(stream, expected, proposed);
const cluster = settings.cluster === null ? null : await ClusterNode.start(store, settings.cluster);
const parts: NodeParts = {
  store,
  faults,
  write: cluster === null ? alone : (...append) => cluster.append(...append),
  refusal: () => cluster?.refusal() ?? null,
  access,
  members: (port) => cluster?.members() ?? [{ port, state: 'leader', isAlive: true }],
};
const serving = await serve(settings.port, parts, security);

const handle = ({ method, args }: Asked): unknown => {
  switch (method) {
    case 'calls':
      return serving.calls;
    case 'events':
      return store.events;
    case 'fail':
      return void Object.assign(faults, ...args);
    case 'reset':
      store.clear();
      Object.assign(faults, noFaults());
      Object.assign(serving.calls, { append: 0, batchAppend: 0, read: 0, subscribe: 0 });
      return;
    case 'keepFirst':
      return store.keepFirst(...(args as [number]));
    case 'tombstone':
      return store.tombstone(...(args as [string]));
    case 'append':
      return void store.append(args[0] as string, 'any', args[1] as []);
    case 'endSubscriptions':
      return serving.endSubscriptions(...(args as ['error']));
    case 'role':
      return { isLeader: cluster?.isLeader() ?? true, events: store.events.length };
    case 'join':
      return cluster?.join(args[0] as [], serving.port);
    default:
      throw new Error(`no method ${String(method satisfies never)}`);
  }
};

process.on('message', (message) => {
  const asked = message as Asked;
  const answer: Answered = { id: asked.id };
  try {
    answer.result = handle(asked);
  } catch (error) {
    answer.error = String(error);
  }
  // The parent may be gone.
  process.send?.(answer, () => undefined);
});
process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => {
  const isStopping = cluster?.stop() ?? Promise.resolve();
  void isStopping.then(() => process.exit());
});
process.send?.({ port: serving.port, internalPort: cluster?.internalPort ?? 0 } satisfies StartedNode);

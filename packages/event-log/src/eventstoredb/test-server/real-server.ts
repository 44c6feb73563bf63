import { getContainerRuntimeClient, GenericContainer, Wait } from 'testcontainers';

const image = 'eventstore/eventstore:24.10';
const port = 2113;

/** A real EventStoreDB: the one of `EVENT_LOG_TEST_URL`, else a container, else the reason why there is none. */
export async function realServer(): Promise<{ url: string; stop: () => Promise<void> } | { absent: string }> {
  const given = process.env['EVENT_LOG_TEST_URL'];
  if (given !== undefined && given !== '') return { url: given, stop: () => Promise.resolve() };
  try {
    await getContainerRuntimeClient();
  } catch {
    return { absent: 'no Docker here, and EVENT_LOG_TEST_URL names no EventStoreDB server' };
  }
  const container = await new GenericContainer(image)
    .withEnvironment({
      EVENTSTORE_INSECURE: 'true',
      EVENTSTORE_CLUSTER_SIZE: '1',
      EVENTSTORE_MEM_DB: 'true',
      EVENTSTORE_RUN_PROJECTIONS: 'None',
    })
    .withExposedPorts(port)
    .withWaitStrategy(Wait.forHttp('/health/live', port).forStatusCode(204))
    .start();
  return {
    url: `esdb://${container.getHost()}:${container.getMappedPort(port)}?tls=false`,
    stop: async () => {
      await container.stop();
    },
  };
}

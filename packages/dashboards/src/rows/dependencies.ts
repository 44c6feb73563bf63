import { countRate, gauge, quantile } from '../query.ts';
import type { Row } from '../panel.ts';
import { nodeFilesystem } from '../foreign-metrics.ts';

const pool = 'db.client.connection.pool.name' as const;

/** NATS, the databases and the disk, as the services see them. */
export const dependencies: Row = {
  title: 'Dependencies',
  panels: [
    {
      title: 'Connected to NATS',
      description: 'Instances of each service that are connected, and how many there are.',
      unit: 'short',
      queries: [
        { expression: gauge('sum', 'registry.bus.connected', ['job']), legend: '{{job}}' },
        {
          expression: 'count by (job) (registry_bus_connected{job=~"$job",instance=~"$instance"})',
          legend: '{{job}} of',
        },
      ],
    },
    {
      title: 'JetStream answers',
      description: 'Rate limits, nonces and repeated requests need it; they are refused while it does not answer.',
      unit: 'short',
      kind: 'stat',
      words: { '0': 'no answer', '1': 'answers' },
      queries: [{ expression: gauge('min', 'registry.jetstream.answering', ['job']), legend: '{{job}}' }],
    },
    {
      title: 'Time of calls between services',
      description: 'The 99th percentile of the ten slowest methods, as the calling service sees them.',
      unit: 's',
      queries: [
        {
          expression: `topk(10, ${quantile(0.99, 'rpc.client.call.duration', ['rpc.method'])})`,
          legend: '{{rpc_method}}',
        },
      ],
    },
    {
      title: 'Failed calls between services',
      description: 'By method and code. Refusals such as agent_not_found are answers to callers; timeouts are not.',
      unit: 'reqps',
      queries: [
        {
          expression: countRate('rpc.client.call.duration', ['rpc.method', 'error.type'], { 'error.type': '!=""' }),
          legend: '{{rpc_method}} {{error_type}}',
        },
      ],
    },
    {
      title: 'Connections to Postgres',
      description: 'Share of the connections of a pool that are in use. At 100 % requests wait.',
      unit: 'percentunit',
      max: 1,
      redFrom: 1,
      queries: [
        {
          expression: `${gauge('sum', 'db.client.connection.count', ['job', pool], { 'db.client.connection.state': '="used"' })} / ${gauge('sum', 'db.client.connection.max', ['job', pool])}`,
          legend: '{{job}} {{db_client_connection_pool_name}}',
        },
      ],
    },
    {
      title: 'Requests that wait for a connection',
      description: 'More than now and then: the database is slow, or the pool is too small.',
      unit: 'short',
      queries: [
        {
          expression: gauge('sum', 'db.client.connection.pending_requests', ['job', pool]),
          legend: '{{job}} {{db_client_connection_pool_name}}',
        },
      ],
    },
    {
      title: 'Free disk space',
      description:
        'Of the machine that Compose runs on (node exporter). Elsewhere, look at the disks of Postgres, NATS and EventStoreDB where they are.',
      unit: 'percentunit',
      max: 1,
      queries: [
        {
          expression: `${nodeFilesystem('avail')} / ${nodeFilesystem('size')}`,
          legend: '{{instance}} {{mountpoint}}',
        },
      ],
    },
  ],
};

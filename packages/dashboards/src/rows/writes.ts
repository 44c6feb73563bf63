import { countRate, gauge, quantile, sumRate } from '../query.ts';
import { quantiles, type Row } from '../panel.ts';

/** Appends to the event log, and the wait until readers see them. */
export const writes: Row = {
  title: 'Writes',
  panels: [
    {
      title: 'Appends',
      description: 'Appends to the event log. Two make a call: its start and its end.',
      unit: 'wps',
      stacked: true,
      queries: [{ expression: countRate('registry.append.duration', ['job']), legend: '{{job}}' }],
    },
    {
      title: 'Appends without success',
      description:
        'By the code of the error. wrong_expected_revision is no fault: another writer was first, and the writer decides again.',
      unit: 'wps',
      queries: [
        {
          expression: countRate('registry.append.duration', ['job', 'error.type'], { 'error.type': '!=""' }),
          legend: '{{job}} {{error_type}}',
        },
      ],
    },
    {
      title: 'Time of an append',
      description: 'Until the event is durable, with the wait in the queue.',
      unit: 's',
      queries: quantiles((at) => quantile(at, 'registry.append.duration')),
    },
    {
      title: 'Appends in a batch',
      description:
        'Mean number of appends that share a round trip to Postgres; it grows with the load. EventStoreDB has none.',
      unit: 'short',
      queries: [
        {
          expression: `${sumRate('registry.append.batch.size', ['job'])} / ${countRate('registry.append.batch.size', ['job'])}`,
          legend: '{{job}}',
        },
      ],
    },
    {
      title: 'Appends that wait',
      description: 'Length of the queue for the next round trip, of each instance.',
      unit: 'short',
      queries: [
        {
          expression: gauge('max', 'registry.append.queue.length', ['job', 'instance']),
          legend: '{{job}} {{instance}}',
        },
      ],
    },
    {
      title: 'Wait until readers see a write',
      description:
        'A write is answered when the read models show it. After READ_MODEL_WAIT_MS it is 503 read_model_behind.',
      unit: 's',
      queries: quantiles((at) => quantile(at, 'registry.read_model.wait.duration')),
    },
    {
      title: 'Waits that ended without it',
      description: 'By cause. With timeout, the caller was answered 503 read_model_behind; the write stands.',
      unit: 'ops',
      queries: [
        {
          expression: countRate('registry.read_model.wait.duration', ['job', 'error.type'], { 'error.type': '!=""' }),
          legend: '{{job}} {{error_type}}',
        },
      ],
    },
    {
      title: 'Time of commands and queries',
      description: 'The 99th percentile of the ten slowest methods that services serve to each other.',
      unit: 's',
      queries: [
        {
          expression: `topk(10, ${quantile(0.99, 'rpc.server.call.duration', ['rpc.method'])})`,
          legend: '{{rpc_method}}',
        },
      ],
    },
  ],
};

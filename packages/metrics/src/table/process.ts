import { pauseSeconds } from '../buckets.ts';
import { everyService, named, oneOf, proxies, rows } from '../row.ts';

const own = { services: everyService, attributes: {} };
const delay = { ...own, kind: 'gauge', unit: 's' } as const;

/** Of each process, and of its connections to NATS. */
export const processRows = rows({
  'registry.bus.connected': {
    ...own,
    kind: 'gauge',
    unit: '',
    description: '1 while this process is connected to NATS.',
  },
  'registry.jetstream.answering': {
    kind: 'gauge',
    unit: '',
    description: '1 while JetStream answers; what needs it is refused while it does not.',
    services: ['gateway', ...proxies],
    attributes: {},
  },
  'process.cpu.time': {
    kind: 'counter',
    unit: 's',
    description: 'Processor time.',
    services: everyService,
    attributes: { 'cpu.mode': oneOf('user', 'system') },
  },
  'process.memory.usage': { ...own, kind: 'up_down_counter', unit: 'By', description: 'Resident memory.' },
  'process.uptime': { ...own, kind: 'gauge', unit: 's', description: 'Time since the process started.' },
  'v8js.memory.heap.limit': {
    kind: 'up_down_counter',
    unit: 'By',
    description: 'Total size of a heap space.',
    services: everyService,
    attributes: { 'v8js.heap.space.name': named('the space, such as `old_space`') },
  },
  'v8js.memory.heap.used': {
    kind: 'up_down_counter',
    unit: 'By',
    description: 'Used size of a heap space.',
    services: everyService,
    attributes: { 'v8js.heap.space.name': named('the space') },
  },
  'v8js.gc.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'Pauses for garbage collection.',
    services: everyService,
    attributes: { 'v8js.gc.type': oneOf('major', 'minor', 'incremental', 'weakcb') },
    buckets: pauseSeconds,
  },
  'nodejs.eventloop.delay.mean': { ...delay, description: 'Mean delay of the event loop since the last collection.' },
  'nodejs.eventloop.delay.max': {
    ...delay,
    description:
      'Longest delay of the event loop since the last collection; a single one is seen up to 0.1 s shorter than it is.',
  },
  'nodejs.eventloop.delay.p50': { ...delay, description: 'Median delay of the event loop since the last collection.' },
  'nodejs.eventloop.delay.p90': { ...delay, description: '90th percentile of the delay since the last collection.' },
  'nodejs.eventloop.delay.p99': {
    ...delay,
    description: '99th percentile of the delay, measured every 0.1 s, since the last collection.',
  },
  'nodejs.eventloop.utilization': {
    ...own,
    kind: 'gauge',
    unit: '1',
    description: 'Share of the time since the last collection in which the event loop was busy.',
  },
});

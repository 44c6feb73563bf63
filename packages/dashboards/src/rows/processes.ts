import { gauge, rate, sumRate } from '../query.ts';
import type { Row } from '../panel.ts';

const each = ['job', 'instance'] as const;
const legend = '{{job}} {{instance}}';

/** Every process by itself. */
export const processes: Row = {
  title: 'Processes',
  panels: [
    {
      title: 'Processor',
      description: 'Processor cores in use. A service works on one core, and beside it on collections of garbage.',
      unit: 'short',
      queries: [{ expression: rate('process.cpu.time', [...each]), legend }],
    },
    {
      title: 'Event loop',
      description:
        'Share of the time in which the event loop was busy. Near 100 % the instance is at its limit: add one.',
      unit: 'percentunit',
      max: 1,
      redFrom: 0.95,
      queries: [{ expression: gauge('max', 'nodejs.eventloop.utilization', [...each]), legend }],
    },
    {
      title: 'Delay of the event loop',
      description:
        'The 99th percentile since the last scrape: how long a request may wait for its turn in the process.',
      unit: 's',
      queries: [{ expression: gauge('max', 'nodejs.eventloop.delay.p99', [...each]), legend }],
    },
    {
      title: 'Resident memory',
      description: 'Compare it with the limit of the container.',
      unit: 'bytes',
      queries: [{ expression: gauge('max', 'process.memory.usage', [...each]), legend }],
    },
    {
      title: 'Heap in use',
      description: 'All heap spaces together.',
      unit: 'bytes',
      queries: [{ expression: gauge('sum', 'v8js.memory.heap.used', [...each]), legend }],
    },
    {
      title: 'Garbage collection',
      description: 'Share of the time that passes in pauses for garbage collection.',
      unit: 'percentunit',
      queries: [{ expression: sumRate('v8js.gc.duration', [...each]), legend }],
    },
    {
      title: 'Uptime',
      description: 'A line that falls to 0 again and again is a process that does not stay up.',
      unit: 's',
      queries: [{ expression: gauge('max', 'process.uptime', [...each]), legend }],
    },
  ],
};

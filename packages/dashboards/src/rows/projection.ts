import { countRate, gauge, quantile, rate } from '../query.ts';
import { quantiles, type Row } from '../panel.ts';

const of = 'registry.projection' as const;

/** Read models, answers from memory, and webhooks. */
export const projection: Row = {
  title: 'Projection',
  panels: [
    {
      title: 'Events behind the log',
      description: 'Events that the read models do not show yet. Not shown while the database or the log is down.',
      unit: 'short',
      queries: [
        { expression: gauge('max', 'registry.projection.lag.events', [of]), legend: '{{registry_projection}}' },
      ],
    },
    {
      title: 'Seconds behind the log',
      description: 'Age of the oldest event that the read models do not show yet.',
      unit: 's',
      redFrom: 10,
      queries: [{ expression: gauge('max', 'registry.projection.lag.time', [of]), legend: '{{registry_projection}}' }],
    },
    {
      title: 'Events applied',
      description: 'Events whose changes were committed, each second.',
      unit: 'ops',
      queries: [{ expression: rate('registry.projection.events', [of]), legend: '{{registry_projection}}' }],
    },
    {
      title: 'Time of a batch',
      description: 'From a batch of events to its commit.',
      unit: 's',
      queries: quantiles((at) => quantile(at, 'registry.projection.batch.duration', [of]), ' {{registry_projection}}'),
    },
    {
      title: 'Writers of the read models',
      description:
        'Exactly one instance writes each; the others stand by. 0 for longer than a change of leader: nothing is projected.',
      unit: 'short',
      kind: 'stat',
      words: { '0': 'nobody writes', '1': 'one writes' },
      queries: [{ expression: gauge('sum', 'registry.projection.active', [of]), legend: '{{registry_projection}}' }],
    },
    {
      title: 'Stopped by an event',
      description: 'An event that cannot be applied stops the read models until it is dealt with.',
      unit: 'short',
      kind: 'stat',
      redFrom: 1,
      words: { '0': 'no', '1': 'stopped' },
      queries: [{ expression: gauge('max', 'registry.projection.poisoned', [of]), legend: '{{registry_projection}}' }],
    },
    {
      title: 'Answers from memory',
      description: 'Share of reads that gateways and proxies answer without asking trust-projection.',
      unit: 'percentunit',
      max: 1,
      queries: [
        {
          expression: `${rate('registry.replica.reads', ['job'], { 'registry.result': '="hit"' })} / ${rate('registry.replica.reads', ['job'])}`,
          legend: '{{job}}',
        },
      ],
    },
    {
      title: 'Instances that answer from memory',
      description: 'An instance that has lost touch with trust-projection asks it each time until it has caught up.',
      unit: 'short',
      queries: [{ expression: gauge('sum', 'registry.replica.member', ['job']), legend: '{{job}}' }],
    },
    {
      title: 'Messages to webhooks',
      description: 'Messages that are not delivered yet.',
      unit: 'short',
      queries: [{ expression: gauge('max', 'registry.webhooks.backlog'), legend: 'not delivered' }],
    },
    {
      title: 'Oldest message to a webhook',
      description:
        'A consumer that is down lets it grow to days: a message is tried twelve times, with growing pauses.',
      unit: 's',
      queries: [{ expression: gauge('max', 'registry.webhooks.oldest.age'), legend: 'oldest' }],
    },
    {
      title: 'Attempts to deliver',
      description: 'Attempts to deliver a message to a webhook, and how they ended.',
      unit: 'ops',
      stacked: true,
      queries: [{ expression: rate('registry.webhooks.attempts', ['registry.result']), legend: '{{registry_result}}' }],
    },
    {
      title: 'Batches',
      description: 'Commits of the read models, each second. Under load batches become larger, not more.',
      unit: 'ops',
      queries: [
        { expression: countRate('registry.projection.batch.duration', [of]), legend: '{{registry_projection}}' },
      ],
    },
  ],
};

import { countRate, gauge, quantile, rate } from '../query.ts';
import { quantiles, type Row } from '../panel.ts';

/** Calls and payments, and the agents that they go to. */
export const calls: Row = {
  title: 'Calls and payments',
  panels: [
    {
      title: 'Calls under way',
      description:
        'All instances of a service together, and how many they take. At the limit further calls are refused.',
      unit: 'short',
      queries: [
        { expression: gauge('sum', 'registry.calls.active', ['job']), legend: '{{job}}' },
        { expression: gauge('sum', 'registry.calls.limit', ['job']), legend: '{{job}} limit' },
      ],
    },
    {
      title: 'Payments under way',
      description: 'All instances of a service together, and how many they take.',
      unit: 'short',
      queries: [
        { expression: gauge('sum', 'registry.payments.active', ['job']), legend: '{{job}}' },
        { expression: gauge('sum', 'registry.payments.limit', ['job']), legend: '{{job}} limit' },
      ],
    },
    {
      title: 'What the registry adds to a call',
      description: 'The time of a call without that of the agent: mostly the two appends to the log.',
      unit: 's',
      queries: quantiles((at) => quantile(at, 'registry.call.added.duration')),
    },
    {
      title: 'Answer time of agents',
      description:
        'From a request to an agent to its answer; of a stream, to its head. It is the agents that are slow here.',
      unit: 's',
      queries: [0.5, 0.99].map((at) => ({
        expression: quantile(at, 'registry.agent.answer.duration', ['job']),
        legend: `p${at * 100} {{job}}`,
      })),
    },
    {
      title: 'Agents without an answer',
      description: 'Requests to agents that got no answer, by cause.',
      unit: 'reqps',
      stacked: true,
      queries: [
        {
          expression: countRate('registry.agent.answer.duration', ['job', 'error.type'], { 'error.type': '!=""' }),
          legend: '{{job}} {{error_type}}',
        },
      ],
    },
    {
      title: 'Calls and payments refused',
      description: 'What was not sent to its agent, or got no answer of it, by cause. Empty before the first.',
      unit: 'reqps',
      stacked: true,
      queries: [
        { expression: rate('registry.calls.refused', ['error.type']), legend: 'call: {{error_type}}' },
        { expression: rate('registry.payments.refused', ['error.type']), legend: 'payment: {{error_type}}' },
      ],
    },
    {
      title: 'Late settlements',
      description:
        'Settled payments that the event log did not take at once: kept on NATS or held in memory, recorded later, or left to people (by_hand), whom an alert calls. What is kept or held is to be recorded soon.',
      unit: 'ops',
      queries: [
        {
          expression: rate('registry.settlements.late', ['job', 'registry.result']),
          legend: '{{job}} {{registry_result}}',
        },
      ],
    },
    {
      title: 'Circuits open',
      description: 'Agents, and servers of agents, that fail so often that they are not contacted for a while.',
      unit: 'short',
      queries: [{ expression: gauge('sum', 'registry.circuits.open', ['job']), legend: '{{job}}' }],
    },
    {
      title: 'Circuits that changed',
      description: 'Many that open at once point to the network, not to the agents.',
      unit: 'ops',
      queries: [
        {
          expression: rate('registry.circuits.changes', ['job', 'registry.change']),
          legend: '{{job}} {{registry_change}}',
        },
      ],
    },
  ],
};

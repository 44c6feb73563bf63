import { countRate, quantile, rate, series, sum } from '../query.ts';
import { quantiles, type Row } from '../panel.ts';

/** 502 is an agent's or a domain's failure, and a 503 by a limit of the caller alone is the caller's, not the registry's. */
const failed = { 'http.response.status_code': '=~"500|503"', 'registry.limited_by': '=""' };
const all = series('http.server.request.duration', {}, '_count');
const failures = series('http.server.request.duration', failed, '_count');
const increase = (of: string): string => sum(`increase(${of}[$__range])`, []);

/** What clients ask for, and what they get. */
export const traffic: Row = {
  title: 'Traffic',
  panels: [
    {
      title: 'Requests by status',
      description:
        'Requests that the gateways answered. 429 and 4xx are for callers to correct; 500 and 503 are failures of the registry, but for what met a limit of its caller alone; 502 says that an agent failed.',
      unit: 'reqps',
      stacked: true,
      queries: [
        {
          expression: countRate('http.server.request.duration', ['http.response.status_code']),
          legend: '{{http_response_status_code}}',
        },
      ],
    },
    {
      title: 'Requests by route',
      description: 'The ten routes with most requests.',
      unit: 'reqps',
      queries: [
        {
          expression: `topk(10, ${countRate('http.server.request.duration', ['http.route'])})`,
          legend: '{{http_route}}',
        },
      ],
    },
    {
      title: 'Availability in the chosen time',
      description:
        'Share of requests that were not answered 500 or 503, but for 503 by a limit of the caller alone. The objective of the alerts is 99.9 % in 30 days.',
      unit: 'percentunit',
      kind: 'stat',
      max: 1,
      queries: [
        {
          expression: `1 - (${increase(failures)} or vector(0)) / ${increase(all)}`,
          legend: 'available',
        },
      ],
    },
    {
      title: 'Failures of the registry',
      description: 'Share of requests that were answered 500 or 503. Look at "Refusals by code" for the reason.',
      unit: 'percentunit',
      redFrom: 0.01,
      queries: [
        {
          expression: `(${countRate('http.server.request.duration', [], failed)} or vector(0)) / ${countRate('http.server.request.duration')}`,
          legend: 'failures',
        },
      ],
    },
    {
      title: 'Time to the end of an answer',
      description: 'All routes, with the time that agents take in calls.',
      unit: 's',
      queries: quantiles((at) => quantile(at, 'http.server.request.duration')),
    },
    {
      title: 'Time of /verify',
      description: 'The objective of the alerts: 99 % within 0.1 s.',
      unit: 's',
      redFrom: 0.1,
      queries: quantiles((at) => quantile(at, 'http.server.request.duration', [], { 'http.route': '="/verify"' })),
    },
    {
      title: 'p99 by route',
      description: 'The ten routes whose slowest answers take longest.',
      unit: 's',
      queries: [
        {
          expression: `topk(10, ${quantile(0.99, 'http.server.request.duration', ['http.route'])})`,
          legend: '{{http_route}}',
        },
      ],
    },
    {
      title: 'Refusals by code',
      description: 'Requests that were answered with an error, by its code. What a code means is in /docs.',
      unit: 'reqps',
      stacked: true,
      queries: [{ expression: rate('registry.http.refusals', ['error.type']), legend: '{{error_type}}' }],
    },
    {
      title: 'Rate limits and nonces',
      description:
        'Requests beyond a rate limit, and signed requests whose nonce was not accepted. nonce_reused can be a replayed request.',
      unit: 'reqps',
      queries: [
        { expression: rate('registry.rate_limit.refusals', ['registry.limit']), legend: 'limit: {{registry_limit}}' },
        { expression: rate('registry.nonce.refusals', ['registry.cause']), legend: 'nonce: {{registry_cause}}' },
      ],
    },
    {
      title: 'Beyond daily limits',
      description:
        'Requests of organisations that had used up what they have in a day, answered 429 quota_exceeded. The operator sets the limits.',
      unit: 'reqps',
      stacked: true,
      queries: [{ expression: rate('registry.quota.refusals', ['registry.usage']), legend: '{{registry_usage}}' }],
    },
    {
      title: 'Limits of callers',
      description:
        'Requests that were answered 503 because their own caller had as many under way, or as many bytes, as it may have. Others notice nothing, so they do not count against availability.',
      unit: 'reqps',
      queries: [
        {
          expression: countRate('http.server.request.duration', ['http.route'], { 'registry.limited_by': '="caller"' }),
          legend: '{{http_route}}',
        },
      ],
    },
  ],
};

/** Bugs: an alert that can never fire because a metric has another name; one that leads nowhere; one whose tests show only one side. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { nodeJob } from './foreign-metrics.ts';
import { readExpression, unknownNames } from './testing/expression.ts';

const root = resolve(import.meta.dirname, '../../..');
const folder = join(root, 'infra/observability/prometheus');

type Rule = {
  record?: string;
  alert?: string;
  expr: string;
  for?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
};
const filesIn = <Content>(name: string): Content[] =>
  readdirSync(join(folder, name)).map((file) => parse(readFileSync(join(folder, name, file), 'utf8')) as Content);
const groups = filesIn<{ groups: { name: string; rules: Rule[] }[] }>('rules').flatMap((file) => file.groups);
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.flatMap(({ alert, ...rule }) => (alert === undefined ? [] : [{ alert, ...rule }]));
const recorded = new Map(
  rules.flatMap(({ record, expr }): [string, string[]][] =>
    record === undefined ? [] : [[record, readExpression(expr).grouping.filter((label) => label !== 'le')]],
  ),
);
const runbook = readFileSync(join(root, 'docs/runbook.md'), 'utf8');
const entries = [...runbook.matchAll(/^### (Registry\w+)$/gmu)].map(([, name = '']) => name);

describe('the rules', () => {
  it.each(rules)('$record$alert asks for metrics and labels of the table', ({ expr }) => {
    expect(unknownNames(readExpression(expr), recorded)).toEqual([]);
  });

  it('name groups and recorded series once', () => {
    const names = [...groups.map(({ name }) => name), ...rules.flatMap(({ record }) => record ?? [])];
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it('use the job of prometheus.yml for the disk, and no other', () => {
    const jobs = rules.flatMap(({ expr }) => [...expr.matchAll(/job=~?"([^"]*)"/gu)].map(([, job]) => job));
    expect([...new Set(jobs)]).toEqual([nodeJob]);
    expect(readFileSync(join(folder, 'prometheus.yml'), 'utf8')).toContain(`job_name: ${nodeJob}\n`);
  });
});

describe.each(alerts)('$alert', ({ alert, labels = {}, annotations = {} }) => {
  it('has a severity, a summary, a description and its entry of the runbook', () => {
    expect(['critical', 'warning']).toContain(labels['severity']);
    expect(annotations['summary']).toMatch(/\w/u);
    expect(annotations['description']).toMatch(/[.]$/u);
    expect(annotations['runbook_url']).toBe(
      `{{ or $externalLabels.runbook "docs/runbook.md" }}#${alert.toLowerCase()}`,
    );
    expect(entries).toContain(alert);
  });
});

describe('docs/runbook.md', () => {
  it('has one entry for each alert, and none for anything else', () => {
    const names = [...new Set(alerts.map(({ alert }) => alert))];
    expect(entries.toSorted()).toEqual(names.toSorted());
  });

  it.each(entries)('%s says what it means, what users notice, how to look, what to do and when it is over', (name) => {
    const [, after = ''] = runbook.split(`### ${name}\n`);
    const [entry = ''] = after.split(/^#{2,3} /mu);
    const parts = [...entry.matchAll(/^\*\*([^*]+)\*\*/gmu)].map(([, part]) => part);
    expect(parts).toEqual(['Means.', 'Users notice.', 'Look.', 'Do.', 'Over.']);
  });
});

describe('the tests of the alerts', () => {
  type Test = { alert_rule_test: { alertname: string; exp_alerts: { exp_labels: Record<string, string> }[] }[] };
  const cases = filesIn<{ tests: Test[] }>('tests').flatMap(({ tests }) => tests.flatMap((one) => one.alert_rule_test));

  it.each(alerts)('show $alert firing and silent', ({ alert, labels = {} }) => {
    const own = cases.filter(({ alertname }) => alertname === alert);
    const fires = ({ exp_alerts }: (typeof cases)[number]): boolean =>
      exp_alerts.some(({ exp_labels }) =>
        Object.entries(labels).every(([label, value]) => exp_labels[label] === value),
      );
    expect([own.some(fires), own.some((one) => !fires(one))]).toEqual([true, true]);
  });
});

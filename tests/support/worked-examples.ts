import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ReferenceStep } from '@agent-trust/contracts';
import type { ToolClient } from './mcp-tools.ts';

/** Values of placeholders by name; a function derives its value from the last answer. */
export type Values = Record<string, string | ((last: Answer) => Promise<string>)>;
type Answer = { is_error?: boolean; status?: number; headers?: Record<string, string>; body?: unknown };

const placeholder = /<([A-Z][A-Z_]*)>/gu;

/** Executes the steps of an example as written, and compares each answer with the documented one. */
export async function followExample(
  steps: readonly ReferenceStep[],
  values: Values,
  { tool }: Pick<ToolClient, 'tool'>,
  folder: string,
): Promise<void> {
  const known = new Map<string, string>();
  let last: Answer = {};
  /** Replaces placeholders by their values, anywhere in a text. */
  const filled = async (value: unknown): Promise<unknown> => {
    if (typeof value === 'string') {
      for (const [, name = ''] of value.matchAll(placeholder)) {
        const given = values[name];
        if (!known.has(name) && given !== undefined)
          known.set(name, typeof given === 'string' ? given : await given(last));
        if (!known.has(name)) throw new Error(`the placeholder <${name}> has no value`);
      }
      return value.replaceAll(placeholder, (_whole, name: string) => known.get(name) ?? '');
    }
    if (Array.isArray(value)) return Promise.all(value.map(filled));
    if (typeof value !== 'object' || value === null) return value;
    const members: [string, unknown][] = [];
    for (const [name, member] of Object.entries(value)) members.push([name, await filled(member)]);
    return Object.fromEntries(members);
  };
  /** Differences between an answer and the documented one; a placeholder without a value takes the actual value. */
  const faultsIn = async (expected: unknown, actual: unknown, at: string): Promise<string[]> => {
    if (typeof expected === 'string') {
      const name = new RegExp(`^${placeholder.source}$`, 'u').exec(expected)?.[1];
      if (name !== undefined && !known.has(name) && values[name] === undefined) {
        if (typeof actual !== 'string' || actual === '') return [`${at} has no value for <${name}>`];
        known.set(name, actual);
        return [];
      }
      return (await filled(expected)) === actual ? [] : [`${at} is ${JSON.stringify(actual)}, not ${expected}`];
    }
    if (typeof expected !== 'object' || expected === null)
      return expected === actual ? [] : [`${at} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`];
    if (typeof actual !== 'object' || actual === null) return [`${at} is ${JSON.stringify(actual)}`];
    if (Array.isArray(expected) && (actual as unknown[]).length !== expected.length)
      return [`${at} has another length`];
    const faults: string[] = [];
    for (const [name, member] of Object.entries(expected)) {
      const key = ((await filled(name)) as string) ?? name;
      faults.push(...(await faultsIn(member, (actual as Record<string, unknown>)[key], `${at}.${key}`)));
    }
    return faults;
  };

  for (const { answer, title, note: _, ...step } of steps) {
    last = await send((await filled(step)) as Omit<ReferenceStep, 'answer'>, tool, folder);
    const faults = await faultsIn(answer, last, 'answer');
    if (faults.length > 0) throw new Error(`"${title}": ${faults.join('; ')}; the answer was ${JSON.stringify(last)}`);
  }
}

const send = async (
  step: Omit<ReferenceStep, 'answer' | 'title'>,
  tool: ToolClient['tool'],
  folder: string,
): Promise<Answer> => {
  switch (step.kind) {
    case 'tool': {
      const { isError, body } = await tool(step.tool ?? '', step.arguments ?? {});
      return { is_error: isError, body };
    }
    case 'http': {
      const response = await fetch(step.url ?? '', {
        method: step.method ?? 'GET',
        headers: step.headers ?? {},
        ...(step.body === undefined ? {} : { body: JSON.stringify(step.body) }),
      });
      const text = await response.text();
      // One event of a stream, or JSON.
      const json =
        text
          .split('\n')
          .findLast((line) => line.startsWith('data: {'))
          ?.slice('data: '.length) ?? text;
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: json.trim() === '' ? null : (JSON.parse(json) as unknown),
      };
    }
    case 'script': {
      const file = join(folder, 'example.mjs');
      await writeFile(file, step.script ?? '');
      const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder, timeout: 150_000 });
      return { body: JSON.parse(stdout) as unknown };
    }
    default:
      return step.kind satisfies never;
  }
};

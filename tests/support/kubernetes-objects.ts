import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

export type KubernetesObject = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  spec: Record<string, unknown>;
};

/** The objects of a stream of YAML documents. */
export function objectsIn(text: string): KubernetesObject[] {
  return parseAllDocuments(text).flatMap((document) => {
    if (document.errors[0] !== undefined) throw document.errors[0];
    const value = document.toJS() as KubernetesObject | null;
    return value === null ? [] : [value];
  });
}

const packageOf = ({ apiVersion }: KubernetesObject): string =>
  apiVersion.startsWith('monitoring.coreos.com/') ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models';
const moduleOf = (object: KubernetesObject): string => `${packageOf(object)}/${object.apiVersion}/${object.kind}`;

type Model = new (data: unknown) => { validate(): void };

/** Rejects if an object is not what the schema of its kind says: a wrong type, or a required field that is missing. */
export async function checkSchemas(objects: readonly KubernetesObject[]): Promise<void> {
  for (const object of objects) {
    const module = (await import(moduleOf(object))) as Record<string, Model>;
    const model = module[object.kind];
    if (model === undefined) throw new Error(`no schema of ${object.apiVersion} ${object.kind}`);
    try {
      new model(object).validate();
    } catch (error) {
      throw new Error(`${object.kind} ${object.metadata.name}: ${String(error)}`, { cause: error });
    }
  }
}

/**
 * The fields of objects that their kinds do not have, as the compiler reports them: schemas of Kubernetes allow any further field, the API server
 * drops it, and so a misspelt field has no effect.
 */
export async function unknownFields(objects: readonly KubernetesObject[]): Promise<string> {
  const work = mkdtempSync(join(tmpdir(), 'kubernetes-objects-'));
  try {
    const lines = objects.map(
      (object, index) =>
        `import type { I${object.kind} as T${index} } from '${moduleOf(object)}';\nexport const o${index}: T${index} = ${JSON.stringify(object)};`,
    );
    writeFileSync(join(work, 'objects.ts'), `${lines.join('\n')}\n`);
    const modules = join(root, 'tests/node_modules');
    const paths = Object.fromEntries(
      ['kubernetes-models', '@kubernetes-models/prometheus-operator'].map((name) => [
        `${name}/*`,
        [join(modules, name, '*')],
      ]),
    );
    const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', skipLibCheck: true, types: [], paths };
    writeFileSync(join(work, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['objects.ts'] }));
    const tsc = join(root, 'node_modules/.bin/tsc');
    return await run(tsc, ['-p', work, '--pretty', 'false']).then(
      () => '',
      (error: { stdout?: string }) => {
        if (!error.stdout) throw error;
        return error.stdout;
      },
    );
  } finally {
    rmSync(work, { recursive: true });
  }
}

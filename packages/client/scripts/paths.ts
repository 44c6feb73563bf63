import { join, resolve } from 'node:path';

export const packageFolder: string = resolve(import.meta.dirname, '..');
export const interfaceTypesFile: string = join(packageFolder, 'src/generated/interface.ts');

import { writeFileSync } from 'node:fs';
import { interfaceTypes } from './interface-types.ts';
import { interfaceTypesFile } from './paths.ts';

writeFileSync(interfaceTypesFile, await interfaceTypes());

export { newFolderFault } from './new-folder-fault.ts';
export { printable } from './printable.ts';
export { ArgumentsError, type Options, type OptionValues, readOptions } from './read-options.ts';
export { complain, runCommand, say } from './run-command.ts';
export { ensureApart, FolderError, makeFolder } from './make-folder.ts';

/** Where the console is, without a slash at the end: `/console`, or below the path of a proxy. Derived from the address of its own script. */
export const consolePath: string = new URL(/* @vite-ignore */ '..', import.meta.url).pathname.replace(/\/$/u, '');

/** Address of the registry that serves the console. */
export const registryUrl: string = new URL(/* @vite-ignore */ '../..', import.meta.url).href.replace(/\/$/u, '');

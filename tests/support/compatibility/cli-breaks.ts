import type { DescribedCli } from '../../release-fixture/interface-of.ts';

/** The parts of `-l, --limit <number>`: each name by which the option goes, and what it takes. */
const partsOf = (flags: string): { names: string[]; value: string } => {
  const value = /[<[].*$/u.exec(flags)?.[0] ?? '';
  return {
    names: flags
      .replace(value, '')
      .split(/[\s,|]+/u)
      .filter(Boolean),
    value: value.slice(0, 1),
  };
};

const optionBreaks = (at: string, was: readonly string[], now: readonly string[]): string[] =>
  was.flatMap((flags) => {
    const { names, value } = partsOf(flags);
    return names.flatMap((name) => {
      const current = now.map(partsOf).find((one) => one.names.includes(name));
      if (current === undefined) return [`${at}: ${name} is gone`];
      const takesValue = (one: string): boolean => one !== '';
      return takesValue(current.value) === takesValue(value)
        ? []
        : [`${at}: ${name} now takes ${current.value === '' ? 'no' : 'a'} value`];
    });
  });

/** What of a released command line the present one breaks, in sentences. */
export function cliBreaks(was: DescribedCli, now: DescribedCli): string[] {
  return [
    ...Object.entries(was.commands).flatMap(([name, command]) => {
      const current = now.commands[name];
      if (current === undefined) return [`${name} is gone`];
      const needed = (list: readonly string[]): number => list.filter((one) => one.startsWith('<')).length;
      return [
        ...(current.arguments.length < command.arguments.length ? [`${name} takes fewer arguments`] : []),
        ...(needed(current.arguments) > needed(command.arguments) ? [`${name} needs more arguments`] : []),
        ...optionBreaks(name, command.options, current.options),
      ];
    }),
    ...optionBreaks('every command', was.globalOptions, now.globalOptions),
    ...Object.keys(was.exitCodes)
      .filter((code) => now.exitCodes[code] === undefined)
      .map((code) => `the exit code ${code} is gone`),
  ];
}

import { completionScripts, type Shell, shells } from '../completion/scripts.ts';
import { command } from '../program/command.ts';
import { UsageError } from '../usage-error.ts';

export const completion = command({
  path: ['completion'],
  summary: 'The script that completes this command line.',
  description: [
    'bash: source <(agent-trust completion bash), or the same line in ~/.bashrc',
    'zsh:  source <(agent-trust completion zsh), after compinit',
    'fish: agent-trust completion fish > ~/.config/fish/completions/agent-trust.fish',
  ].join('\n'),
  arguments: [{ name: 'shell', description: shells.join(', '), values: shells }],
  options: {},
  examples: [{ says: 'In the shell that runs now', run: 'source <(agent-trust completion bash)' }],
  run: async ({ args: [shell = ''], context }) => {
    if (!(shells as readonly string[]).includes(shell))
      throw new UsageError(`there is a script for ${shells.join(', ')}; not for "${shell}"`);
    const script = completionScripts[shell as Shell];
    context.answer({ shell, script }, () => context.out.raw(script));
  },
});

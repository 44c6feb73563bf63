import { UsageError } from '../errors.ts';
import { command } from '../program/command.ts';

/** Completion scripts. Each runs `agent-trust __complete -- <words>`, which answers one word per line, or `:files` for file names. */

const bash = `# bash completion for agent-trust; load it with: source <(agent-trust completion bash)
_agent_trust() {
  local cur words cword answer line
  # "=" and ":" end words for readline, but not for agent-trust.
  if declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref -n "=:" cur words cword
  else
    words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD cur="\${COMP_WORDS[COMP_CWORD]}"
  fi
  COMPREPLY=()
  answer="$("\${words[0]}" __complete -- "\${words[@]:1:cword}" 2>/dev/null)" || return 0
  while IFS= read -r line; do
    [ -n "$line" ] || continue
    if [ "$line" = ":files" ]; then
      compopt -o filenames 2>/dev/null
      local file prefix="" part="$cur"
      case "$cur" in --*=*) prefix=""; part="\${cur#*=}" ;; @*) prefix="@"; part="\${cur#@}" ;; esac
      while IFS= read -r file; do COMPREPLY+=("$prefix$file"); done < <(compgen -f -- "$part")
    else
      # Readline replaces only what comes after its last "=".
      case "$cur" in *=*) case "$COMP_WORDBREAKS" in *=*) line="\${line#*=}" ;; esac ;; esac
      COMPREPLY+=("$line")
    fi
  done <<< "$answer"
}
complete -F _agent_trust agent-trust
`;

const zsh = `#compdef agent-trust
# zsh completion for agent-trust; load it with: source <(agent-trust completion zsh)
_agent_trust() {
  local answer
  local -a offers
  answer="$("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)" || return 1
  offers=(\${(f)answer})
  if (( \${offers[(Ie):files]} )); then
    _files
    return
  fi
  compadd -a offers
}
compdef _agent_trust agent-trust
`;

const fish = `# fish completion for agent-trust; load it with: agent-trust completion fish | source
function __agent_trust_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l offers ($words[1] __complete -- $words[2..-1] 2>/dev/null)
    if contains -- :files $offers
        __fish_complete_path (commandline -ct)
    else
        printf '%s\\n' $offers
    end
end
complete -c agent-trust -f -a '(__agent_trust_complete)'
`;

const scripts: Readonly<Record<string, string>> = { bash, zsh, fish };
const shells = Object.keys(scripts);

const completion = command({
  path: ['completion'],
  description: [
    'bash: source <(agent-trust completion bash), or the same line in ~/.bashrc',
    'zsh:  source <(agent-trust completion zsh), after compinit',
    'fish: agent-trust completion fish > ~/.config/fish/completions/agent-trust.fish',
  ].join('\n'),
  arguments: [{ name: 'shell', description: shells.join(', '), values: shells }],
  examples: { 'In the shell that runs now': 'source <(agent-trust completion bash)' },
  run: async ({ args: [shell = ''], context }) => {
    const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
    if (script === undefined) throw new UsageError(`there is a script for ${shells.join(', ')}; not for "${shell}"`);
    context.answer({ shell, script }, () => context.out.raw(script));
  },
});

export const commands = [completion];

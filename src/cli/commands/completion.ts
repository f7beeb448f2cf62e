import { Argument, Command } from 'commander';
import { cleanText } from '../../base/index.ts';
import type { CommandScope } from './builder.ts';

/** Each asks the program itself what could follow, so it can never be older than the program. */
const SCRIPTS = {
  bash: `# headway completion for bash: source <(headway completion bash)
_headway() {
  COMPREPLY=()
  local line
  while IFS= read -r line; do
    case $line in :*) ;; *) COMPREPLY+=("\${line%%$'\\t'*}") ;; esac
  done < <(headway __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _headway headway
`,
  zsh: `#compdef headway
# headway completion for zsh: source <(headway completion zsh)
_headway() {
  local line name
  local -a found
  for line in "\${(@f)$(headway __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -z $line || $line == :* ]] && continue
    name=\${line%%$'\\t'*}
    found+=("\${name//:/\\\\:}:\${line#*$'\\t'}")
  done
  _describe 'headway' found
}
compdef _headway headway
`,
  fish: `# headway completion for fish: headway completion fish | source
function __headway_complete
  set -l words (commandline -opc) (commandline -ct)
  headway __complete -- $words[2..-1] 2>/dev/null | string match -v ':*'
end
complete -c headway -f -a '(__headway_complete)'
`,
} as const;

export function completionCommand({ deps, act }: CommandScope): Command {
  return new Command('completion')
    .description('print the completion script for a shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(SCRIPTS)))
    .action(
      act((shell: keyof typeof SCRIPTS) => {
        deps.output.text(SCRIPTS[shell]);
        return Promise.resolve(0);
      }),
    );
}

/** What could follow; asked by the scripts, and by kubectl for its plugin. */
export function completeCommand({ deps, act }: CommandScope, program: Command): Command {
  return new Command('__complete').argument('[words...]').action(
    act(async (words: string[]) => {
      const { complete } = await import('../actions/complete.ts');
      for (const { word, about } of await complete(deps, program, words))
        deps.output.text(`${cleanText(word)}\t${about}\n`);
      // The last line is for kubectl: no file names, please.
      deps.output.line(':4');
      return 0;
    }),
  );
}

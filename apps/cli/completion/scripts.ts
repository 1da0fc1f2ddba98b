/**
 * Each script asks `hearth completion candidates`, so it is never older than the commands. Each
 * line of an answer is a word, a tab and a description. If there is no line, the shell completes
 * file names.
 */
export type Shell = "bash" | "zsh" | "fish";

const BASH = `# Completion of hearth for bash: source <(hearth completion bash)
_hearth() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(hearth completion candidates -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _hearth hearth
`;

const ZSH = `#compdef hearth
# Completion of hearth for zsh: source <(hearth completion zsh)
_hearth() {
  local line
  local -a described
  while IFS= read -r line; do
    described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(hearth completion candidates -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#described} )); then
    _describe -t words hearth described
  else
    _files
  fi
}
compdef _hearth hearth
`;

const FISH = `# Completion of hearth for fish: hearth completion fish | source
function __hearth_candidates
  set -l last (commandline -ct)
  set -l words (commandline -opc) "$last"
  set -l found (hearth completion candidates -- $words[2..] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c hearth -f -a '(__hearth_candidates)'
`;

export const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

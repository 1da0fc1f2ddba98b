/** What the agent runs for a Hearth::Machine::File. */
import { type AgentScript, digestOf, printing } from "./agent-script.ts";

export interface WantedFile {
  readonly path: string;
  readonly content: string;
  /** In octal digits, without zeros before them. */
  readonly mode: string;
  readonly owner: string;
  readonly group: string;
  /** Whether a file that is there already may be taken. */
  readonly adopts: boolean;
}

export const checksumOf = ({ content }: Pick<WantedFile, "content">): string => digestOf(content);

const FUNCTIONS = `
new="$name.hearth-new"
there() { [ -e "$name" ] || [ -L "$name" ]; }
claim() {
  [ ! -d "$name" ] || [ -L "$name" ] || die "$name is a folder"
  if there && [ -z "$adopts" ]; then
    die "$name is there already. With adopt: true it is taken, and a delete brings it back"
  fi
}
keep() {
  if there; then cp -a "$name" "$record/original"; fi
  : > "$record/folders"
  folder=$(dirname "$name")
  while [ ! -d "$folder" ]; do
    printf '%s\\n' "$folder" >> "$record/folders"
    folder=$(dirname "$folder")
  done
}
apply() {
  mkdir -p "$(dirname "$name")"
  rm -f "$new"
  (umask 077; content > "$new")
  chown "$owner:$group" "$new"
  chmod "$mode" "$new"
  mv -fT "$new" "$name"
}
restore() {
  rm -f "$new"
  if [ -e "$record/original" ] || [ -L "$record/original" ]; then
    cp -a "$record/original" "$new"
    mv -fT "$new" "$name"
  else
    rm -f "$name"
  fi
  while read -r folder; do rmdir "$folder" 2>/dev/null || true; done < "$record/folders"
}
check() {
  [ -f "$name" ] && [ ! -L "$name" ] || die "$name is not there"
  drift=
  [ "$(sha256sum < "$name" | cut -d ' ' -f 1)" = "$checksum" ] || drift="$drift content"
  [ "$(stat -c %a "$name")" = "$mode" ] || drift="$drift mode"
  case "$owner" in "$(stat -c %U "$name")" | "$(stat -c %u "$name")") ;; *) drift="$drift owner" ;; esac
  case "$group" in "$(stat -c %G "$name")" | "$(stat -c %g "$name")") ;; *) drift="$drift group" ;; esac
  [ -z "$drift" ] || die "$name differs in:$drift"
}
`;

export const fileScript = ({ path, content, adopts, ...rest }: WantedFile): AgentScript => ({
  kind: "file",
  name: path,
  values: { ...rest, adopts: adopts ? "yes" : "", checksum: digestOf(content) },
  functions: `${printing("content", content)}${FUNCTIONS}`,
});

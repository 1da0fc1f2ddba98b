import { type AgentScript, digestOf, printing } from "./agent-script.ts";

export interface WantedFile {
  readonly path: string;
  readonly content: string;
  /** In octal digits, without leading zeros. */
  readonly mode: string;
  readonly owner: string;
  readonly group: string;
  readonly adopts: boolean;
}

export const checksumOf = ({ content }: Pick<WantedFile, "content">): string => digestOf(content);

/**
 * The script runs as root, but another user may own the folder and replace a part of the path by a
 * link at any moment. So the script enters the path one folder at a time and checks where it is:
 * the current folder stays the same even if it is renamed. It writes the new file inside a private
 * folder there, which nobody else can enter or move. A link is followed only if nobody but root
 * could have made it.
 */
const FUNCTIONS = `
folder=$(dirname "$name")
base=$(basename "$name")
there() { [ -e "$name" ] || [ -L "$name" ]; }
only_ours() {
  [ "$(stat -c %u .)" = "$(id -u)" ] || return 1
  case "$(stat -c %A .)" in ?????w* | ????????w*) return 1 ;; esac
}
step() {
  if [ -L "./$1" ]; then
    only_ours || die "$here/$1 is a link, and others than root can change it"
    cd -P "./$1" || return 1
    here=$(pwd -P)
  else
    cd -P "./$1" 2>/dev/null || return 1
    [ "$(pwd -P)" = "$here/$1" ] || die "$here/$1 was changed in the meantime"
    here=$here/$1
  fi
}
enter() {
  cd /
  here=
  rest=\${folder#/}
  while [ -n "$rest" ]; do
    part=\${rest%%/*}
    rest=\${rest#"$part"}
    rest=\${rest#/}
    if [ -n "$1" ] && [ ! -d "./$part" ]; then mkdir "./$part"; fi
    step "$part" || return 1
  done
}
drop_new() {
  if [ -e "$record/new" ]; then rm -rf "./$(cat "$record/new")"; fi
  rm -f "$record/new"
}
enter_new() {
  enter make
  drop_new
  new=$(mktemp -d .hearth-XXXXXXXXXX)
  printf '%s\\n' "$new" > "$record/new"
  step "$new"
  only_ours || die "$here was changed in the meantime"
}
put() {
  mv -fT ./file "../$base"
  cd -P ..
  drop_new
}
claim() {
  [ ! -d "$name" ] || [ -L "$name" ] || die "$name is a folder"
  if there && [ -z "$adopts" ]; then
    die "$name is there already. With adopt: true it is taken, and a delete brings it back"
  fi
}
keep() {
  if there; then
    enter ""
    cp -a "./$base" "$record/original"
  fi
  : > "$record/folders"
  missing=$folder
  while [ ! -d "$missing" ]; do
    printf '%s\\n' "$missing" >> "$record/folders"
    missing=$(dirname "$missing")
  done
}
apply() {
  enter_new
  (umask 077; content > ./file)
  chown "$owner:$group" ./file
  chmod "$mode" ./file
  put
}
restore() {
  if [ -e "$record/original" ] || [ -L "$record/original" ]; then
    enter_new
    cp -a "$record/original" ./file
    put
  elif (enter "" 2>/dev/null); then
    enter ""
    drop_new
    rm -f "./$base"
  fi
  cd /
  while read -r missing; do rmdir "$missing" 2>/dev/null || true; done < "$record/folders"
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

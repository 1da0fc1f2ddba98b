import { writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The package database is the file `states`: a line for each package, with its status and its name.
 */
export const PACKAGE_PROGRAMS = {
  "dpkg-query": `
case "$*" in
*binary:Package*) cat "$MACHINE/states" ;;
*) for name; do :; done; sed -n "s/ $name\\$/ 1/p" "$MACHINE/states" ;;
esac`,
  // Another apt ends before this one gets the lock.
  "apt-get": `
for word; do case "$word" in DPkg::Pre-Invoke::=*) began=\${word#*=} ;; esac; done
sed -i '/^config-files /!s/^[a-z-]* /installed /' "$MACHINE/states"
echo installed foreign >> "$MACHINE/states"
sh -c "$began"
sed -i '/^config-files /d' "$MACHINE/states"
printf 'installed own\\ninstalled needed\\n' >> "$MACHINE/states"`,
  dpkg: `
shift
for name; do sed -i "/ $name\\$/d" "$MACHINE/states"; done`,
} as const;

/**
 * The file of a running unit is in `run`, and so is the `boot-` file of one that starts at boot.
 */
export const SERVICE_PROGRAMS = {
  systemctl: `
for unit; do :; done
case "$*" in
cat*) [ -e "$MACHINE/etc/systemd/system/$unit" ] ;;
is-active*) [ -e "$MACHINE/run/$unit" ] && echo active || { echo inactive; exit 3; } ;;
is-enabled*) [ -e "$MACHINE/run/boot-$unit" ] && echo enabled || { echo disabled; exit 1; } ;;
*restart* | start*) : > "$MACHINE/run/$unit" ;;
stop*) rm -f "$MACHINE/run/$unit" ;;
*enable*) : > "$MACHINE/run/boot-$unit" ;;
*disable*) rm -f "$MACHINE/run/boot-$unit" "$MACHINE/run/$unit" ;;
esac`,
  sleep: "",
} as const;

export const writePrograms = (folder: string, programs: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\nset -eu${text}\n`, { mode: 0o755 });
  }
};

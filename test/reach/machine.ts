/**
 * A machine for the printed line: this system's files under a layer of its own, in its own mount
 * and process namespaces. What root does there changes nothing here. Only systemd is missing; a
 * program in its place starts the unit's command as the unit's user, with its environment.
 */
import { openRootShell, type RootShell } from "./root-shell.ts";

const SYSTEMCTL = String.raw`#!/bin/sh
# Stands in for systemd: "restart NAME" runs the unit's command in the background.
[ "$1" = restart ] || exit 0
unit=/etc/systemd/system/$2.service
pid=/run/$2.pid
[ ! -e "$pid" ] || kill "$(cat "$pid")"
user=$(sed -n 's/^User=//p' "$unit")
command=$(sed -n 's/^ExecStart=//p' "$unit")
sed -n 's/^Environment=//p' "$unit" > /run/environment
cd /var/lib/hearth-agent
env -i PATH="$PATH" $(cat /run/environment) setpriv --reuid "$user" --regid "$user" --clear-groups \
  $command < /dev/null >> "/var/log/$2.log" 2>&1 &
echo $! > "$pid"
`;

/** `node` is mounted over its usual place, because the agent finds it by PATH. */
const START = String.raw`set -e
mount -t tmpfs machine /mnt
mkdir /mnt/upper /mnt/work /mnt/root
mount -t overlay machine -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root
mount --rbind /dev /mnt/root/dev
mount -t proc proc /mnt/root/proc
mount -t tmpfs run /mnt/root/run
rm -rf /mnt/root/opt/hearth /mnt/root/var/lib/hearth-agent
mkdir -p /mnt/root/usr/local/bin
for name in node systemctl sudo; do rm -f "/mnt/root/usr/local/bin/$name"; done
touch /mnt/root/usr/local/bin/node
mount --bind "$NODE" /mnt/root/usr/local/bin/node
printf '%s' "$SYSTEMCTL" > /mnt/root/usr/local/bin/systemctl
printf '#!/bin/sh\nexec "$@"\n' > /mnt/root/usr/local/bin/sudo
chmod 755 /mnt/root/usr/local/bin/systemctl /mnt/root/usr/local/bin/sudo
exec chroot /mnt/root sh
`;

export const startMachine = (): RootShell =>
  openRootShell(["--mount", "--pid"], START, { NODE: process.execPath, SYSTEMCTL });

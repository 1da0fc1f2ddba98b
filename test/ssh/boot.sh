#!/bin/sh
# The first process of a machine: a copy-on-write copy of this one's files, in namespaces of its
# own, with systemd and an sshd. Its network is this machine's. $1: a folder. $2: Node. $3: a port.
# $4: a folder with the keys. It appears there as /srv/hearth-test. $5: one more address of its sshd.
set -eu
mount -t tmpfs -o mode=755 machine "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay machine -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
root="$1/root"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
# Layers of containers cannot be on another overlay.
mkdir -p "$root/var/lib/containers" "$root/srv/hearth-test" "$root/etc/containers"
mount -t tmpfs -o mode=755 containers "$root/var/lib/containers"
mount --bind "$4" "$root/srv/hearth-test"
# The dotfiles of a developer are slow, and print.
mount -t tmpfs -o mode=700 home "$root/root"
mount -t tmpfs -o mode=755 dev "$root/dev"
for name in null zero full random urandom tty; do
  : > "$root/dev/$name"
  mount --bind "/dev/$name" "$root/dev/$name"
done
mkdir "$root/dev/shm" "$root/dev/pts"
mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
# Podman refuses both versions of control groups side by side.
mount -t cgroup2 cgroup "$root/sys/fs/cgroup"
# They make units of what this machine has, at each reload.
mount -t tmpfs none "$root/usr/lib/systemd/system-generators"
# What this machine runs is not to be run twice.
rm -rf "$root/etc/systemd/system" "$root/etc/containers" "$root/etc/cni"
mkdir -p "$root/etc/containers"
# Without the right to raise limits crun needs lower ones, and no control groups.
cat > "$root/etc/containers/containers.conf" <<END
[containers]
cgroups = "disabled"
default_ulimits = ["nofile=20000:20000", "nproc=30000:30000"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
END
printf '[storage]\ndriver = "overlay"\nrunroot = "/run/containers/storage"\ngraphroot = "/var/lib/containers/storage"\n' > "$root/etc/containers/storage.conf"
printf '[[registry]]\nlocation = "127.0.0.1"\ninsecure = true\n' > "$root/etc/containers/registries.conf"
echo '{"default": [{"type": "insecureAcceptAnything"}]}' > "$root/etc/containers/policy.json"
mkdir -p "$root/etc/systemd/system" "$root/etc/hearth-test" "$root/usr/local/bin" "$root/etc/ssh"
mkdir -m 700 "$root/root/.ssh"
rm -f "$root/usr/local/bin/node"
: > "$root/usr/local/bin/node"
mount --bind "$2" "$root/usr/local/bin/node"
for unit in systemd-udevd systemd-udev-trigger systemd-journald systemd-timesyncd; do
  ln -s /dev/null "$root/etc/systemd/system/$unit.service"
done
# Of what starts with this machine, nothing does with that one.
rm -rf "$root/usr/lib/systemd/system/multi-user.target.wants"
cat > "$root/etc/systemd/system/multi-user.target" <<END
[Unit]
Description=A machine of a test
Wants=machine-sshd.service
END
ln -s multi-user.target "$root/etc/systemd/system/default.target"
cat > "$root/etc/systemd/system/machine-sshd.service" <<END
[Service]
RuntimeDirectory=sshd
ExecStart=/usr/sbin/sshd -D -e -f /etc/hearth-test/sshd_config
END
cat > "$root/etc/hearth-test/sshd_config" <<END
Port $3
ListenAddress 127.0.0.1
HostKey /etc/ssh/ssh_host_ed25519_key
AuthorizedKeysFile /etc/hearth-test/authorized_keys .ssh/authorized_keys
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
MaxStartups 100
UsePAM no
PidFile none
END
[ -z "${5:-}" ] || echo "ListenAddress $5" >> "$root/etc/hearth-test/sshd_config"
cp "$4/authorized_keys" "$root/etc/hearth-test/"
chmod 600 "$root/etc/hearth-test/authorized_keys"
for name in host_key host_key.pub; do
  rm -f "$root/etc/ssh/ssh_host_ed25519_${name#host_}"
  cp "$4/$name" "$root/etc/ssh/ssh_host_ed25519_${name#host_}"
done
echo "A machine of a test" > "$root/etc/motd"
missing=$(chroot "$root" sh -c 'for one in sshd:openssh-server sudo:sudo podman:podman crun:crun; do
  command -v "${one%%:*}" > /dev/null || echo "${one#*:}"
done
[ -x /lib/systemd/systemd ] || echo systemd')
if [ -n "$missing" ]; then
  # Nothing that is installed may start before there is a systemd.
  printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"
  chmod 755 "$root/usr/sbin/policy-rc.d"
  # The lists of packages may be missing, or older than what they name. A package may bring a file
  # that was written above, and dpkg would ask which one is to stay.
  chroot "$root" sh -c 'export DEBIAN_FRONTEND=noninteractive
    add() { apt-get install -qy --no-install-recommends -o Dpkg::Options::=--force-confold "$@"; }
    add "$@" || { apt-get update -q; add "$@"; }' add $missing >&2
  rm "$root/usr/sbin/policy-rc.d"
  rm -rf "$root/etc/systemd/system/multi-user.target.wants" "$root/etc/systemd/system/sshd.service"
fi
# Users who may become root, one of them after a password, and one only on a terminal.
for user in deployer asked typist; do
  chroot "$root" useradd --create-home --password '*' "$user"
  mkdir -m 700 "$root/home/$user/.ssh"
  cp "$4/authorized_keys" "$root/home/$user/.ssh/"
  chroot "$root" chown -R "$user" "/home/$user/.ssh"
done
printf 'deployer ALL=(ALL) NOPASSWD: ALL\nasked ALL=(ALL) ALL\ntypist ALL=(ALL) NOPASSWD: ALL\nDefaults:typist requiretty\n' > "$root/etc/sudoers.d/hearth-test"
chmod 440 "$root/etc/sudoers.d/hearth-test"
umount "$root/proc"
cd "$root"
# A reboot ends all processes and all mounts of these namespaces. SIGHUP ends systemd then.
while :; do
  status=0
  setpriv --pdeathsig KILL unshare --pid --mount --fork --kill-child --propagation=private sh -c '
    mount -t proc proc proc
    mount -t tmpfs -o mode=755 run run
    mount -t tmpfs tmp tmp
    pivot_root . mnt
    exec chroot . sh -c "umount -l /mnt
      exec env -i container=hearth PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        /lib/systemd/systemd --system --show-status=no"' || status=$?
  [ "$status" = 129 ] || exit "$status"
done

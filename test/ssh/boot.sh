#!/bin/sh
# The first process of a machine: a copy-on-write copy of this one's files, in namespaces of its
# own, with systemd and an sshd. Its network is this machine's. $1: a folder. $2: Node. $3: a port.
# $4: a folder with the keys.
set -eu
mount -t tmpfs -o mode=755 machine "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay machine -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
root="$1/root"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t tmpfs -o mode=755 run "$root/run"
mount -t tmpfs tmp "$root/tmp"
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
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
  mount -t cgroup2 cgroup "$root/sys/fs/cgroup"
else
  mount -t tmpfs -o mode=755 cgroup "$root/sys/fs/cgroup"
  mkdir "$root/sys/fs/cgroup/systemd"
  mount -t cgroup -o none,name=systemd cgroup "$root/sys/fs/cgroup/systemd"
fi
# They make units of what this machine has, at each reload.
mount -t tmpfs none "$root/usr/lib/systemd/system-generators"
# What this machine runs is not to be run twice.
rm -rf "$root/etc/systemd/system"
mkdir -p "$root/etc/systemd/system" "$root/etc/hearth-test" "$root/usr/local/bin" "$root/etc/ssh"
mkdir -m 700 "$root/root/.ssh"
rm -f "$root/usr/local/bin/node"
: > "$root/usr/local/bin/node"
mount --bind "$2" "$root/usr/local/bin/node"
for unit in systemd-udevd systemd-udev-trigger systemd-journald systemd-timesyncd; do
  ln -s /dev/null "$root/etc/systemd/system/$unit.service"
done
cat > "$root/etc/systemd/system/machine.target" <<END
[Unit]
Description=A machine of a test
AllowIsolate=yes
END
ln -s machine.target "$root/etc/systemd/system/default.target"
mkdir "$root/etc/systemd/system/machine.target.wants"
ln -s ../machine-sshd.service "$root/etc/systemd/system/machine.target.wants/machine-sshd.service"
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
cp "$4/authorized_keys" "$root/etc/hearth-test/"
chmod 600 "$root/etc/hearth-test/authorized_keys"
for name in host_key host_key.pub; do
  rm -f "$root/etc/ssh/ssh_host_ed25519_${name#host_}"
  cp "$4/$name" "$root/etc/ssh/ssh_host_ed25519_${name#host_}"
done
echo "A machine of a test" > "$root/etc/motd"
chroot "$root" sh -c 'command -v sshd && test -x /lib/systemd/systemd' > /dev/null || {
  # Nothing that is installed may start before there is a systemd.
  printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"
  chmod 755 "$root/usr/sbin/policy-rc.d"
  chroot "$root" sh -c 'apt-get update -q; DEBIAN_FRONTEND=noninteractive \
    apt-get install -qy --no-install-recommends systemd openssh-server' >&2
  rm "$root/usr/sbin/policy-rc.d"
  rm -rf "$root/etc/systemd/system/multi-user.target.wants" "$root/etc/systemd/system/sshd.service"
}
cd "$root"
exec env -i container=hearth PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  chroot . /lib/systemd/systemd --system --show-status=no

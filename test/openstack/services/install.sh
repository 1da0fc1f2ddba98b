#!/bin/sh
# Installs the services into the folder that is given: Debian's MariaDB and RabbitMQ, the rest from
# PyPI. It needs root, 1 GB and some ten minutes.
set -e
folder=${1:?usage: install.sh FOLDER}
mkdir -p "$folder"
if ! [ -x /usr/sbin/mariadbd ] || ! [ -x /usr/lib/rabbitmq/bin/rabbitmq-server ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    rabbitmq-server mariadb-server-core mariadb-client-core curl iproute2
fi
[ -x "$folder/venv/bin/uv" ] || { python3 -m venv "$folder/venv"; "$folder/venv/bin/pip" install uv; }
# The date of the release stands in for its list of versions.
"$folder/venv/bin/uv" pip install --python "$folder/venv/bin/python" --exclude-newer 2025-11-15 \
  keystone nova neutron glance openstack-placement cinder openstacksdk pymysql \
  'setuptools<80' uwsgi

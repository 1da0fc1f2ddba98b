#!/bin/sh
# Starts the services that install.sh has installed, in a network namespace of their own. When it
# ends, they run, and FOLDER/projects.json names two projects for `hearth serve --openstack`.
# stop.sh ends them. It needs root, 2 GB and two minutes of two processors.
set -e
folder=$(realpath "${1:?usage: start.sh FOLDER}")
here=$(realpath "$(dirname "$0")")
if [ "$2" != inside ]; then
  mkdir -p "$folder/run"
  # The namespace lives as long as this process does.
  unshare --net sh -c 'ip link set lo up; exec sleep infinity' > /dev/null 2>&1 &
  echo $! > "$folder/run/namespace"
  sleep 1
  exec nsenter --net="/proc/$(cat "$folder/run/namespace")/ns/net" sh "$0" "$folder" inside
fi

sh "$here/configure.sh" "$folder"
etc=$folder/etc data=$folder/data
export PATH="$folder/venv/bin:$PATH" PYTHONPATH="$folder/plug" PYTHONWARNINGS=ignore HOME="$data/home"
begin() { name=$1; shift; nohup "$@" > "$folder/log/$name.out" 2>&1 & echo $! > "$folder/run/$name"; }
serve() {
  name=$1 port=$2 module=$3
  shift 3
  begin "$name" env "$@" uwsgi --master --die-on-term --enable-threads --lazy-apps --need-app \
    --processes 1 --threads 4 --buffer-size 65535 --add-header Connection:close \
    --http-socket "127.0.0.1:$port" --module "$module:application"
}
answers() { until curl -s -m 5 -o /dev/null "http://127.0.0.1:$1/"; do sleep 0.5; done; }

mariadb-install-db --no-defaults --user=root --datadir="$data/mysql" \
  --auth-root-authentication-method=normal > "$folder/log/mariadb-install.out" 2>&1
begin mariadb mariadbd --no-defaults --user=root --datadir="$data/mysql" \
  --socket="$data/mariadb.sock" --bind-address=127.0.0.1 --skip-grant-tables --skip-log-bin \
  --innodb-flush-log-at-trx-commit=0 --innodb-doublewrite=0 --max-connections=500
echo '[].' > "$data/rabbit-plugins"
begin rabbitmq env RABBITMQ_NODENAME=hearth@localhost RABBITMQ_NODE_IP_ADDRESS=127.0.0.1 \
  RABBITMQ_MNESIA_BASE="$data/rabbit" RABBITMQ_LOG_BASE="$folder/log" \
  RABBITMQ_ENABLED_PLUGINS_FILE="$data/rabbit-plugins" ERL_EPMD_ADDRESS=127.0.0.1 \
  /usr/lib/rabbitmq/bin/rabbitmq-server
sql() { mariadb --no-defaults -S "$data/mariadb.sock" -e "$1"; }
until sql 'select 1' > /dev/null 2>&1; do sleep 0.3; done
for name in keystone placement glance nova_api nova_cell0 nova_cell1 neutron cinder; do
  sql "create database $name"
done

keystone() { keystone-manage --config-file "$etc/keystone/keystone.conf" "$@"; }
nova() { nova-manage --config-file "$etc/nova/nova.conf" "$@"; }
(
  keystone db_sync
  keystone fernet_setup --keystone-user root --keystone-group root
  keystone bootstrap --bootstrap-password admin --bootstrap-region-id RegionOne \
    --bootstrap-admin-url http://127.0.0.1:5000/v3 --bootstrap-public-url http://127.0.0.1:5000/v3 \
    --bootstrap-internal-url http://127.0.0.1:5000/v3
  placement-manage --config-file "$etc/placement/placement.conf" db sync
  glance-manage --config-file "$etc/glance/glance-api.conf" db_sync
) > "$folder/log/databases-1.out" 2>&1 & one=$!
(
  nova api_db sync
  nova cell_v2 map_cell0 --database_connection 'mysql+pymysql://root@127.0.0.1/nova_cell0?charset=utf8mb4'
  nova db sync
  nova cell_v2 create_cell --name cell1
) > "$folder/log/databases-2.out" 2>&1 & two=$!
(
  neutron-db-manage --config-file "$etc/neutron/neutron.conf" upgrade heads
  cinder-manage --config-file "$etc/cinder/cinder.conf" db sync
) > "$folder/log/databases-3.out" 2>&1 & three=$!
wait $one; wait $two; wait $three
echo "the databases are there"

serve keystone 5000 keystone.wsgi.api \
  OS_KEYSTONE_CONFIG_DIR="$etc/keystone" OS_KEYSTONE_CONFIG_FILES=keystone.conf
serve placement 8778 placement.wsgi.api OS_PLACEMENT_CONFIG_DIR="$etc/placement"
begin glance glance-api --config-file "$etc/glance/glance-api.conf"
answers 5000
# Nova's compute service reads the catalog when it starts.
python "$here/prepare.py" catalog
serve nova 8774 nova.wsgi.osapi_compute \
  OS_NOVA_DISABLE_EVENTLET_PATCHING=true OS_NOVA_CONFIG_DIR="$etc/nova"
serve neutron 9696 neutron.wsgi.api OS_NEUTRON_CONFIG_DIR="$etc/neutron" OS_NEUTRON_CONFIG_FILES=neutron.conf
begin neutron-rpc neutron-rpc-server --config-file "$etc/neutron/neutron.conf"
begin nova-conductor nova-conductor --config-file "$etc/nova/nova.conf"
begin nova-scheduler nova-scheduler --config-file "$etc/nova/nova.conf"
mkdir -p "$HOME/.cinder"
cp "$etc/cinder/cinder.conf" "$HOME/.cinder/"
serve cinder 8776 cinder.wsgi.api HOME="$HOME"
begin cinder-scheduler cinder-scheduler --config-file "$etc/cinder/cinder.conf"
begin cinder-volume cinder-volume --config-file "$etc/cinder/cinder.conf"
answers 8778
begin nova-compute nova-compute --config-file "$etc/nova/nova.conf"
for port in 9292 8774 9696 8776; do answers $port; done
until grep -q 'Created resource provider record' "$folder/log/nova-compute.log" 2> /dev/null; do sleep 1; done
nova cell_v2 discover_hosts > "$folder/log/discover.out" 2>&1
python "$here/prepare.py" projects "$folder"
echo "HEARTH_OPENSTACK=$folder/projects.json nsenter --net=/proc/$(cat "$folder/run/namespace")/ns/net npm run lane -- openstack"

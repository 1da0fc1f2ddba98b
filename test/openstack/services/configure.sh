#!/bin/sh
# Writes the configuration of all services into FOLDER/etc. start.sh calls it.
set -e
folder=${1:?usage: configure.sh FOLDER}
etc=$folder/etc data=$folder/data installed=$folder/venv/etc here=$(dirname "$0")
rm -rf "$etc" "$data"
mkdir -p "$etc/keystone/fernet" "$etc/keystone/credential" "$folder/log" "$folder/run" "$folder/plug"
for name in nova neutron glance cinder placement; do mkdir -p "$etc/$name"; done
mkdir -p "$data/images" "$data/lock" "$data/instances" "$data/cinder/coordination" "$data/home"

database() { echo "connection=mysql+pymysql://root@127.0.0.1/$1?charset=utf8mb4"; }
admin() {
  printf '%s\n' auth_url=http://127.0.0.1:5000/v3 auth_type=password username=admin password=admin \
    project_name=admin user_domain_id=default project_domain_id=default region_name=RegionOne
}
# The section by which a service calls another one.
calls() { for name; do echo "[$name]"; admin; done; }
tokens() {
  echo '[keystone_authtoken]'
  admin
  echo www_authenticate_uri=http://127.0.0.1:5000/v3
  echo service_token_roles_required=false
  printf '[oslo_concurrency]\nlock_path=%s/lock\n' "$data"
  printf '[oslo_messaging_notifications]\ndriver=noop\n'
}
bus=transport_url=rabbit://guest:guest@127.0.0.1:5672/

cat > "$etc/keystone/keystone.conf" <<X
[DEFAULT]
log_file=$folder/log/keystone.log
[database]
$(database keystone)
[fernet_tokens]
key_repository=$etc/keystone/fernet
[credential]
key_repository=$etc/keystone/credential
[cache]
enabled=true
backend=dogpile.cache.memory
X

cat > "$etc/placement/placement.conf" <<X
[DEFAULT]
log_file=$folder/log/placement.log
[api]
auth_strategy=keystone
[placement_database]
$(database placement)
$(tokens)
X

cat > "$etc/glance/glance-api.conf" <<X
[DEFAULT]
log_file=$folder/log/glance.log
bind_host=127.0.0.1
bind_port=9292
workers=0
enabled_backends=files:file
[glance_store]
default_backend=files
[files]
filesystem_store_datadir=$data/images
[database]
$(database glance)
[paste_deploy]
flavor=keystone
config_file=$installed/glance/glance-api-paste.ini
$(tokens)
X

cp "$installed/nova/api-paste.ini" "$etc/nova/"
# Nova's fake hypervisor says of each server that it runs.
cat > "$etc/nova/nova.conf" <<X
[DEFAULT]
log_dir=$folder/log
my_ip=127.0.0.1
host=fake
state_path=$data
$bus
compute_driver=hearth_hypervisor.FakeDriver
allow_resize_to_same_host=true
instances_path=$data/instances
osapi_compute_workers=1
report_interval=10
service_down_time=60
[api]
auth_strategy=keystone
[wsgi]
api_paste_config=$installed/nova/api-paste.ini
[conductor]
workers=1
[scheduler]
workers=1
discover_hosts_in_cells_interval=5
[database]
$(database nova_cell1)
[api_database]
$(database nova_api)
[glance]
api_servers=http://127.0.0.1:9292
[compute]
resource_provider_association_refresh=0
[vnc]
enabled=false
[workarounds]
disable_rootwrap=true
$(tokens)
$(calls placement service_user)
send_service_user_token=true
$(calls neutron)
service_metadata_proxy=true
metadata_proxy_shared_secret=unused
$(calls cinder)
os_region_name=RegionOne
$(calls keystone)
X

cat > "$etc/neutron/neutron.conf" <<X
[DEFAULT]
log_dir=$folder/log
bind_host=127.0.0.1
state_path=$data
api_paste_config=$installed/neutron/api-paste.ini
core_plugin=ml2
service_plugins=router,tag,qos
$bus
auth_strategy=keystone
api_workers=1
rpc_workers=0
dhcp_agent_notification=false
notify_nova_on_port_status_changes=true
notify_nova_on_port_data_changes=true
[database]
$(database neutron)
[ml2]
type_drivers=local,flat,vlan,vxlan
tenant_network_types=vxlan
mechanism_drivers=hearth_binding
extension_drivers=port_security,qos,dns
[ml2_type_vxlan]
vni_ranges=1:1000
[ml2_type_flat]
flat_networks=*
$(tokens)
$(calls nova placement)
X

# A driver of Cinder's own tests: it keeps volumes in its database only.
cat > "$etc/cinder/cinder.conf" <<X
[DEFAULT]
log_dir=$folder/log
my_ip=127.0.0.1
state_path=$data/cinder
$bus
auth_strategy=keystone
api_paste_config=$installed/cinder/api-paste.ini
enabled_backends=fake
default_volume_type=fake
osapi_volume_listen=127.0.0.1
osapi_volume_workers=1
glance_api_servers=http://127.0.0.1:9292
rootwrap_config=$installed/cinder/rootwrap.conf
[fake]
volume_driver=hearth_volumes.FakeDriver
volume_backend_name=fake
[coordination]
backend_url=file://$data/cinder/coordination
[database]
$(database cinder)
$(tokens)
$(calls nova service_user)
X

# Neutron finds the driver by the entry point of a package on PYTHONPATH.
cp "$here/binding_driver.py" "$folder/plug/hearth_binding.py"
cp "$here/fake_volumes.py" "$folder/plug/hearth_volumes.py"
# Nova looks for drivers among its own only.
for virt in "$folder"/venv/lib/python3*/site-packages/nova/virt; do
  cp "$here/fake_hypervisor.py" "$virt/hearth_hypervisor.py"
done
mkdir -p "$folder/plug/hearth_binding-1.dist-info"
printf 'Metadata-Version: 2.1\nName: hearth-binding\nVersion: 1\n' \
  > "$folder/plug/hearth_binding-1.dist-info/METADATA"
printf '[neutron.ml2.mechanism_drivers]\nhearth_binding = hearth_binding:BindingDriver\n' \
  > "$folder/plug/hearth_binding-1.dist-info/entry_points.txt"

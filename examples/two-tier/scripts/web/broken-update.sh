#!/bin/sh
# An update that fails half-way: the web server is stopped and the new release does not start.
set -eu
echo broken > web/state
echo "$deploy_resource_name $deploy_action release=$release failed" >> effects.log
echo "web: release $release does not start: port $http_port is taken" >&2
exit 3

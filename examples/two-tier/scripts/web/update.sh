#!/bin/sh
# Brings the web server that is there to another release, also one that a failed update has left behind.
set -eu
printf 'release=%s\nport=%s\ndatabase=%s\n' "$release" "$http_port" "$db_url" > web/config
echo running > web/state
echo "$deploy_resource_name $deploy_action release=$release" >> effects.log
printf 'http://web:%s/' "$http_port" > "$heat_outputs_path.url"
echo "The web server of release $release is running."

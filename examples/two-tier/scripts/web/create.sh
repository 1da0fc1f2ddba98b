#!/bin/sh
# Sets the web server up, in front of the database that db_url names.
set -eu
mkdir -p web
printf 'release=%s\nport=%s\ndatabase=%s\n' "$release" "$http_port" "$db_url" > web/config
echo running > web/state
echo "$deploy_resource_name $deploy_action release=$release" >> effects.log
printf 'http://web:%s/' "$http_port" > "$heat_outputs_path.url"
echo "The web server of release $release is running."

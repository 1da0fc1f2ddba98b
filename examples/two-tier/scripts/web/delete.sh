#!/bin/sh
# Removes the web server. One that is gone already is removed.
set -eu
rm -rf web
echo "$deploy_resource_name $deploy_action" >> effects.log

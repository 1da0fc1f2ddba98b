#!/bin/sh
# Stops the web server and keeps everything that it has.
set -eu
echo suspended > web/state
echo "$deploy_resource_name $deploy_action" >> effects.log

#!/bin/sh
# Starts the web server again as it was.
set -eu
echo running > web/state
echo "$deploy_resource_name $deploy_action" >> effects.log

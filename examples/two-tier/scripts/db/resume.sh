#!/bin/sh
# Starts the database again as it was.
set -eu
echo running > db/state
echo "$deploy_resource_name $deploy_action" >> effects.log

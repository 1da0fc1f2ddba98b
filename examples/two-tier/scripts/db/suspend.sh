#!/bin/sh
# Stops the database and keeps everything that it has.
set -eu
echo suspended > db/state
echo "$deploy_resource_name $deploy_action" >> effects.log

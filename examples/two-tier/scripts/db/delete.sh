#!/bin/sh
# Removes the database. One that is gone already is removed.
set -eu
rm -rf db
echo "$deploy_resource_name $deploy_action" >> effects.log

#!/bin/sh
# Watches the web server: one script for all actions.
set -eu
case "$deploy_action" in
  CREATE | UPDATE)
    mkdir -p monitor
    echo "$watched_url" > monitor/target
    echo watching > monitor/state
    ;;
  SUSPEND) echo suspended > monitor/state ;;
  RESUME) echo watching > monitor/state ;;
  DELETE) rm -rf monitor ;;
esac
echo "$deploy_resource_name $deploy_action" >> effects.log

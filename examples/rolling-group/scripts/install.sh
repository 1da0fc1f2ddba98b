#!/bin/sh
# Out of service, the new release in, and back again: what makes it matter how many do it at once.
set -eu
echo "$(date +%T.%3N) $deploy_resource_name out $release" >> service.log
sleep 1
if [ "$release" = broken ]; then
  echo "release $release does not start" >&2
  exit 1
fi
echo "$(date +%T.%3N) $deploy_resource_name back $release" >> service.log
printf '%s' "$release" > "$heat_outputs_path.serving"

#!/bin/sh
# Sets the database up. A deployment that was overtaken is run again, so running twice must do no harm.
set -eu

# The demo decides with a gate file when this goes on; without GATE nothing is waited for.
tries=0
while [ -n "${GATE:-}" ] && [ ! -e "$GATE" ]; do
  tries=$((tries + 1))
  [ "$tries" -le 3000 ] || { echo "nobody opened the gate" >&2; exit 1; }
  sleep 0.1
done

umask 077
mkdir -p db
printf 'password=%s\napi_key=%s\n' "$db_password" "$api_key" > db/credentials
printf 'release=%s\n' "$release" > db/config
echo running > db/state
echo "$deploy_resource_name $deploy_action release=$release" >> effects.log
printf 'postgresql://app@db/shop' > "$heat_outputs_path.db_url"
echo "The database of release $release is running."

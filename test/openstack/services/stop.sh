#!/bin/sh
# Ends what start.sh has started. The installed packages stay.
folder=${1:?usage: stop.sh FOLDER}
[ -f "$folder/run/namespace" ] || exit 0
for file in "$folder"/run/*; do
  [ "$(basename "$file")" = namespace ] || kill "$(cat "$file")" 2> /dev/null
done
sleep 5
# RabbitMQ has processes of its own. All that is in the namespace is of start.sh.
space=$(readlink "/proc/$(cat "$folder/run/namespace")/ns/net")
for process in /proc/[0-9]*; do
  if [ "$(readlink "$process/ns/net" 2> /dev/null)" = "$space" ]; then
    kill -9 "$(basename "$process")" 2> /dev/null
  fi
done
rm -rf "$folder/run" "$folder/data"

#!/bin/sh
set -eu
echo "listening on $port" > app.conf
printf 'http://%s:%s' "$(uname -n)" "$port" > "$heat_outputs_path.address"

#!/bin/sh
# Inputs are environment variables; lists and maps are JSON texts.
set -eu
mkdir -p greeter
printf '%s, %s\n' "$greeting" "$guests" > greeter/page
echo open > greeter/state
# An output is the content of the file that is called after it.
cat greeter/page > "$heat_outputs_path.page"
echo "$deploy_action of $deploy_resource_name"

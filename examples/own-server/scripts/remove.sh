#!/bin/sh
set -eu
rm -r greeter

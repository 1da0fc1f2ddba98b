#!/bin/sh
echo $a > $heat_outputs_path.b

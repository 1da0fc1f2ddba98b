#!/usr/bin/env node
// A clone runs its sources. The package has none of them, and runs what was built from them.
import { existsSync } from "node:fs";

const source = new URL("../cli/hearth.ts", import.meta.url);
await import(existsSync(source) ? source.href : "../dist/hearth.js");

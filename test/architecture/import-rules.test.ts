/**
 * Each import rule must catch something. A rule whose pattern matches nothing would go unnoticed.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { cruise, ROOT } from "./import-rules.ts";

const Config = z.object({ forbidden: z.array(z.object({ name: z.string() })) });
const { forbidden } = Config.parse(
  createRequire(import.meta.url)(join(ROOT, ".dependency-cruiser.cjs")),
);

/**
 * From path to text. Each file breaks the rule it is listed under, and keeps the others if it can.
 */
const BROKEN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "everything-resolves": { "cli/lost.ts": 'import "./nowhere.ts";' },
  "no-circular": {
    "cli/hen.ts": 'import { egg } from "./egg.ts";\nexport const hen = () => egg;',
    "cli/egg.ts": 'import { hen } from "./hen.ts";\nexport const egg = () => hen;',
  },
  "model-stands-alone": { "lib/model/early.ts": 'import "../ports/clock.ts";' },
  "stack-below-the-algorithm": {
    "lib/stack/upward.ts": 'import "../convergence/story.ts";',
  },
  "algorithm-knows-no-type": {
    "lib/convergence/knowing.ts": 'import "../resources/none.ts";',
  },
  "graph-and-template-stand-alone": { "lib/template/early.ts": 'import "../ports/clock.ts";' },
  "groups-stand-alone": { "lib/groups/early.ts": 'import "../ports/clock.ts";' },
  "inventory-stands-alone": { "lib/inventory/early.ts": 'import "../ports/clock.ts";' },
  "yaql-stands-alone": { "lib/yaql/early.ts": 'import "../ports/clock.ts";' },
  "pattern-stands-alone": { "lib/pattern/early.ts": 'import "../ports/clock.ts";' },
  "provider-stands-alone": { "provider/early.ts": 'import "../lib/ports/clock.ts";' },
  "only-servers-of-providers-need-node": { "provider/kit/socket.ts": 'import "node:http";' },
  "providers-know-the-interface": { "providers/own/early.ts": 'import "../../lib/errors.ts";' },
  "shells-choose-providers": { "host/eager.ts": 'import "../providers/own/none.ts";' },
  "middle-layer": { "lib/convergence/upward.ts": 'import "../engine/verb.ts";' },
  "engine-below-api": { "lib/engine/upward.ts": 'import "../api/view.ts";' },
  "api-below-adapters": { "lib/api/upward.ts": 'import "../adapters/memory/store.ts";' },
  "stepping-above-api": { "lib/stepping/bound.ts": 'import "../adapters/memory/store.ts";' },
  "only-shells-step": {
    "lib/api/stepping.ts": 'import "../stepping/step.ts";',
    "lib/stepping/step.ts": "export const steps = true;",
  },
  "ports-are-interfaces": { "lib/ports/busy.ts": 'import "../convergence/story.ts";' },
  "adapters-know-ports-and-models": {
    "lib/adapters/sqlite/knowing.ts": 'import "../../convergence/story.ts";',
  },
  "adapters-apart": { "lib/adapters/sqlite/sociable.ts": 'import "../memory/store.ts";' },
  "lib-below-shells": { "lib/shell.ts": 'import "../cli/hearth.ts";' },
  "functions-know-lib": { "functions/api/outward.ts": 'import "../../cli/hearth.ts";' },
  "host-knows-functions-and-lib": { "host/outward.ts": 'import "../cli/hearth.ts";' },
  "handlers-are-given-their-ports": {
    "functions/api/bound.ts": 'import "#lib/adapters/memory/store.ts";',
  },
  "client-stands-alone": { "client/heavy.ts": 'import "node:fs";' },
  "console-asks-the-client": { "web/src/shortcut.ts": 'import "#lib/engine/verb.ts";' },
  "playground-binds-the-engine": { "web/playground/shell.ts": 'import "../../cli/hearth.ts";' },
  "playground-reaches-no-platform": {
    "web/playground/indirect.ts": 'import "../../lib/below-the-page.ts";',
    "lib/below-the-page.ts": 'import "node:fs";',
  },
  "nobody-imports-the-console": {
    "host/drawing.ts": 'import "../web/src/graph.ts";',
    "web/src/graph.ts": "export const drawn = true;",
  },
  "cli-asks-the-client": { "cli/shortcut.ts": 'import "#lib/engine/verb.ts";' },
  "infra-knows-names": { "infra/knowing.ts": 'import "../lib/convergence/story.ts";' },
  "agent-stands-alone": { "agent/dependent.ts": 'import "#lib/errors.ts";' },
  "nothing-imports-test": { "cli/tested.ts": 'import "../test/world.ts";' },
  "npm-test-needs-no-openssl": {
    "test/unit/certified.test.ts": 'import "../tls/authority.ts";',
    "test/tls/authority.ts": 'import "node:child_process";',
  },
  "core-reaches-no-platform": {
    "lib/engine/indirect.ts": 'import "../between.ts";',
    "lib/between.ts":
      'import { Worker } from "node:worker_threads";\nexport const worker = Worker;',
  },
};

const SOUND: Readonly<Record<string, string>> = {
  "package.json": '{"type":"module","imports":{"#lib/*":"./lib/*"}}',
  "tsconfig.json":
    '{"compilerOptions":{"module":"nodenext","target":"es2024","allowImportingTsExtensions":true,"noEmit":true}}',
  "lib/errors.ts": "export class Bug extends Error {}",
  "lib/ports/clock.ts": "export interface Clock { now(): number }",
  "lib/engine/verb.ts": 'import "#lib/errors.ts";\nimport "../convergence/story.ts";',
  "lib/api/view.ts": 'import "../engine/verb.ts";',
  "lib/resources/none.ts": 'import "../ports/clock.ts";',
  "lib/convergence/story.ts": 'import type { Clock } from "../ports/clock.ts";',
  "lib/adapters/memory/store.ts": 'import "../../ports/clock.ts";',
  "functions/api/lambda.ts": 'import "#lib/adapters/memory/store.ts";',
  "infra/app.ts": 'import "#lib/ports/clock.ts";',
  "providers/own/none.ts": 'import "node:fs";',
  "client/client.ts": 'import "zod";\nimport "#lib/errors.ts";',
  "cli/hearth.ts": 'import "node:fs";\nimport "../client/client.ts";',
  "test/world.ts": 'import "../lib/api/view.ts";',
};

const folders: string[] = [];

const treeOf = (files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-imports-"));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${text}\n`);
  }
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return folder;
};

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

describe("the import rules", () => {
  it("find nothing in a tree that keeps them, and see all of it", () => {
    const { modules, violations } = cruise(treeOf(SOUND));
    expect(violations).toEqual([]);
    expect(modules.toSorted()).toEqual(
      Object.keys(SOUND)
        .filter((path) => path.endsWith(".ts"))
        .toSorted(),
    );
  });

  it("all have a sample here", () => {
    expect(Object.keys(BROKEN).toSorted()).toEqual(forbidden.map(({ name }) => name).toSorted());
  });

  it("each report the import that breaks them", () => {
    const { violations } = cruise(treeOf(Object.assign({}, SOUND, ...Object.values(BROKEN))));
    for (const [rule, files] of Object.entries(BROKEN)) {
      const from = violations.filter((found) => found.rule === rule).map((found) => found.from);
      expect(
        from.filter((path) => path in files),
        rule,
      ).not.toEqual([]);
    }
  });
});
